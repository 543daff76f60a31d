"""A small project: what its modules are asked for."""
from importlib import import_module

import config
import engine as machinery
import package.inner
from package import handed_on, value as renamed
from package.inner import build
from starred import *
from unseen import something
from cycle import FIRST, second

#? 4
config.STEPS
#? (2 if raises else 1)
config.EITHER
#? 5
config.OPTIONS["rate"]
#? Api(config.GUARDED)
config.GUARDED
#? Module(package)
package
#? 'inner'
package.inner.NAME
#? 'inner'
renamed
#? Function(build)
build
#? Function(build)
handed_on
#? [Object(model net), Object(optimizer of net)]
net, optimizer = build(2)
#? 'starred'
PUBLIC
#? Symbol(_private)
_private
#? Api(unseen.something)
something
#? Function(run)
import_module("engine").run
#? Function(build)
import_module(name="package.inner").build
library = "torch.optim"
#? Api(torch.optim.SGD)
import_module(library).SGD
#? Symbol(importlib.import_module(…))
import_module(something)
#? Symbol(importlib.import_module(…))
import_module(".inner", "package")
#? Function(run)
machinery.run
#? 8
machinery.run()
#? Instance(Engine)
machinery.Engine()
#? 4
machinery.Engine().steps
#? 1
FIRST
#? [1, 2]
second()
config.STEPS = 6
#? 6
config.STEPS


def main():
    from package.inner import NAME

    #? 'inner'
    return NAME


if __name__ == "__main__":
    #? 'inner'
    main()
