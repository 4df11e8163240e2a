"""The command line of a program behind `./setup NAME`: what is wrong with it is said in one line, with status 2."""
import argparse


class Arguments(argparse.ArgumentParser):
    def __init__(self, name, **more):
        super().__init__(prog="setup " + name, **more)

    def error(self, message):
        self.exit(2, "andes: %s: %s; --help says what there is\n" % (self.prog, message))
