/* active_messages.h: short messages that call a function on the rank they reach. They are gathered in a
 * buffer for each destination, so most sends are a copy of 16 bytes and only now and then reach MPI. */
#ifndef ANDES_TESTS_CORPUS_ACTIVE_MESSAGES_H
#define ANDES_TESTS_CORPUS_ACTIVE_MESSAGES_H

struct message {
  long vertex;
  long from;
};
typedef void message_handler(const struct message *message);

void messages_start(message_handler *handler);
/** Calls the handler on `rank` with the message, at once if that is this rank, else at the latest in
 *  messages_barrier(). */
void messages_send(int rank, const struct message *message);
/** Returns when all messages of all ranks have been handled. */
void messages_barrier(void);

#endif
