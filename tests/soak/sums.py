"""Sums of a run file by SQL: the long forms' files are too large to be read whole."""


def visits_and_facts(database):
    """Visits by region over all ranks and threads, and the facts."""
    visits = dict(database.execute(
        "SELECT region.name, sum(statistic.sum) FROM statistic JOIN callpath ON callpath.id = callpath "
        "JOIN region ON region.id = region JOIN metric ON metric.id = metric "
        "WHERE metric.name = 'visits' GROUP BY 1"))
    return visits, dict(database.execute("SELECT name, value FROM fact"))
