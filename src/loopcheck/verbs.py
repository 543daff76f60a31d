"""The glossary: every verb that a rule may use, the objects it acts on, and the facts that may be known about it.

Both judges speak it: `read` and `record` make events of these verbs, rules are written in them. A verb or a fact that is
not here cannot be used, so a misspelled rule fails when it is loaded and not by silence.
"""

from __future__ import annotations

from loopcheck.bug import verb

start = verb("start", "the run begins", on=())
end = verb("end", "the run ends", on=())

build = verb(
    "build",
    "an object is made",
    on=("model", "optimizer", "scheduler", "scaler", "loader", "sampler"),
    training="model: it is in train mode once built",
    one_group="optimizer: all its parameters share one set of options, one-dimensional ones among them",
    decays="optimizer: its weight decay is not zero",
    decay="optimizer: 'explicit' where the program gives the decay, 'default' where the class does",
    penalty="optimizer: the program calls its decay an L2 penalty",
    family="optimizer: the class's name in lower case, 'adamw'",
    anew="optimizer: it remembers earlier steps, and another one is made for the same model in each 'epoch', or for each 'batch'",
    length="scheduler: what its length is a number of: 'epochs', 'batches', 'steps', 'iterations', which may be both of these, or"
    " 'updates', which is what a program calls steps",
    sampler="loader: it is given a sampler",
    shuffle="loader: it is told to shuffle",
    from_zero="scheduler: its first learning rate is 0, by a function of the program's",
    from_one="scheduler: its function counts steps from one, and is to be asked for the first before that is made",
    twice="scheduler: its function gives a learning rate, and is multiplied by the optimizer's",
    cut="scheduler: a part of it is longer than what it has until the next part takes over",
    spent="scheduler: it takes the rate down, and is at its end when the warm-up of its optimizer is",
    mode="scheduler: 'min' or 'max', what a metric that it follows should do",
    resumed="scheduler: it goes on from where the schedule was, told so by a last epoch or by the rate alone",
)
prepare = verb(
    "prepare",
    "a framework takes over a model or an optimizer, and its backward with it",
    on=("model", "optimizer"),
    framework="its name: accelerate, fabric, deepspeed, lightning",
)
shard = verb(
    "shard",
    "a model's parameters are flattened and split: each rank has a part of every gradient",
    on=("model",),
    anew="the model has other parameters from here on, and none of those that it had",
)
replicate = verb(
    "replicate",
    "a wrapper takes a model over, which averages its gradients over several processes",
    on=("model",),
    lasts=True,
    anew="it does so in each 'epoch', or for each 'batch', with a model that is there before",
)
zero_grad = verb(
    "zero_grad",
    "gradients are set to zero or to None",
    on=("optimizer", "model"),
    micro="it runs inside a window that ends in one step: for every micro-batch, or before the last one's backward",
    partly="each optimizer that it concerns has a model besides, which a loss goes back to and nothing clears",
    spares="a test of what each pass has come to decides, and on the passes that it spares the step uses them",
    leftover="what it clears came of a loss that was another optimizer's, and another backward comes before the step",
)
forward = verb(
    "forward",
    "a model is applied to data",
    on=("model",),
    parts=False,
    validating="in a pass over held-out data whose output is never backpropagated",
    read="in a pass or a call that trains nothing, and of its output the numbers are taken and no graph is kept",
    shown="beside what is trained, for people to look at alone",
    grad="autograd records it, and something in it needs a gradient",
    moded="the model holds layers that differ between train and eval mode",
    taught="the program trains the model, or loads weights into it",
    insisted="the program has put the model in train mode in so many words, and trains nothing",
    single="it is made once, in no loop of its function or of those that call it",
    invented="it is of numbers out of the air, `torch.randn(2, 3)`, and of no data",
    deployed="the weights are of a file, the program trains nothing any more, and takes numbers of what the model puts out",
    finished="the program has trained the model, trains nothing any more, and takes numbers of what the model puts out",
    precision="the type in which autocast has it computed: 'float16', 'bfloat16'",
    normalizes="it takes statistics from the batch: the model holds batch norms, and is in train mode",
    bypasses="it goes past the wrapper that averages the model's gradients over several processes, and is told by its forward",
)
drop = verb(
    "drop",
    "code of a network sets activations to zero at random",
    on=("class",),
    gated="it is told not to where nothing is trained",
    always="no flag says whether it does",
    by="'dropout', 'attention' that drops some of its weights, a 'layer' that is made where it is applied, or a 'helper' "
    "that is given the share",
)
criterion = verb(
    "criterion",
    "a loss is computed of what a model put out",
    on=("model",),
    loss="the function of torch.nn.functional, or that of the class: 'cross_entropy'",
    given="what its input was put through last: 'softmax', 'log_softmax', 'sigmoid', 'log of softmax'",
    each="it hands out the loss of each sample, `reduction='none'`, which may be no loss but a number that is looked up",
)
backward = verb(
    "backward",
    "gradients are added to the parameters that a loss came from",
    on=("model", "optimizer", "scaler"),
    scaled="the loss carries the factor of a GradScaler",
    averaged="the loss was divided by the number of micro-batches",
    averaged_twice="it was divided so by the program, and once more by the framework that runs the backward",
    managed="a framework runs it, which knows the loss scale and the accumulation window",
    windowed="it runs several times for one optimizer step, on a counter of micro-batches",
    ragged="'known' or 'possible': it is left over at the end of a pass over a loader, for steps that wait for full windows",
    restarts="windows are counted anew in each pass, whatever the one before has left over",
    alone="there is no GradScaler in the whole program",
    asked="nothing steps in the program, or has the model out of sight: its gradients are there to be looked at",
    synced="the model is the same in several processes, which average its gradients here",
    inputs="the gradient of what a network was given is read after it: whether those of its weights are used is not known",
    adapts="a trained network is fitted to what it is tested on, as the name of a function around says",
    cut="the loss has no graph: it was detached, made a number, made again by torch.tensor, or computed under no_grad",
)
freeze = verb(
    "freeze",
    "parameters are told in a loop over them whether they need a gradient",
    on=("model", "optimizer"),
    lasts=True,
    spent="the loop runs over a generator that has handed out all of them before",
)
attach = verb("attach", "a model gets a new layer after this optimizer has taken its parameters", on=("optimizer",))
thaw = verb(
    "thaw",
    "parameters need a gradient from here on that this optimizer was not given, for they needed none when it was made",
    on=("optimizer",),
)
unscale = verb("unscale", "a GradScaler divides the loss scale out of the gradients", on=("optimizer", "scaler"))
edit = verb(
    "edit",
    "gradients are changed by hand: divided, cleaned, averaged over ranks",
    on=("optimizer", "model"),
    added="something is added to them, or taken away: what they were multiplied by stays in them",
)
overwrite = verb(
    "overwrite",
    "weights are written in a way that autograd does not see, through `.data`",
    on=("optimizer", "model"),
)
clip = verb(
    "clip",
    "gradients are limited by norm or by value",
    on=("model", "optimizer"),
    limits="false where the limit is infinite and only the norm is wanted",
    managed="a framework does it, which knows the loss scale and the shards",
    by="'norm' of all gradients, or each element's 'value'",
    spent="it is given a generator that has handed out all parameters before",
    each="it limits one parameter, in a loop over several",
    late="a step comes before it, of whichever optimizer, and no backward in between",
)
step = verb(
    "step",
    "an optimizer changes the weights, and where it is stepped through a GradScaler, that is taken up too",
    on=("optimizer", "scaler"),
    scaled="it goes through a GradScaler, which unscales first",
    closure="it is given a closure that computes the loss again",
    frozen="optimizer: some parameters of the models that it trains were told to need no gradient",
    early="it comes after the first micro-batch, when the first window has only begun",
    varied="on each pass of a loop around it is another optimizer",
    late="another step comes before it, and no backward in between",
)
update = verb("update", "a GradScaler adapts its scale", on=("scaler",))
schedule = verb(
    "schedule",
    "a scheduler sets the next learning rate",
    on=("scheduler",),
    epoch="it is told the epoch or step to go to, here or when it was made, and does not count by itself; not known of one that "
    "follows a metric, or of a class out of sight",
    managed="a framework decides when it takes effect",
    metric="of one that follows a metric, what it is told: 'gain' or 'loss' by its name, or that it is 'missing'",
    overrun="it comes as often as its last part is long, and other parts have had some of that",
    after="what it comes after each time: 'batch', 'step' where that takes up several, 'epoch'",
)
train = verb(
    "train",
    "a model is put in train mode",
    on=("model",),
    parts=False,
    lasts=True,
    apart="it is a part of a model that is in eval mode: somebody wants it in another one than the rest",
)
evaluate = verb(
    "evaluate",
    "a model is put in eval mode",
    on=("model",),
    parts=False,
    lasts=True,
    moded="the model holds layers that differ between train and eval mode",
    flagged="by a flag of the program's, `train(False)`, that could as well have put it in train mode",
    apart="it is a part of a model that is in train mode: somebody wants it in another one than the rest",
    partly="some of a model's layers are meant, and nobody knows which",
    mixed="a part of the model is put in eval mode by itself, and may be meant to stay there",
    by_chance="a number that is drawn decides, on each pass of the loop that trains, which nowhere asks for train mode",
    loaded="it is a part of a network, and comes so with its weights: the network around it is in train mode as before",
    within="it comes so with its weights, as a part of a network whose code speaks neither of modes nor of what learns",
    given="the test decides that also decides whether the model is given weights, and asks for these alone",
)
iterate = verb(
    "iterate",
    "a pass over a loader begins",
    on=("loader",),
    distributed="its order comes from a DistributedSampler",
    shuffled="its order is meant to differ between passes",
    stored="its order is the one in which a data set has its samples, and nobody has said that it should be",
    training="what it yields is trained on",
)
exhaust = verb(
    "exhaust",
    "a pass over a loader, and over whatever is trained in it, ends because the loader has no more",
    on=("loader", "model", "optimizer"),
)
mention = verb(
    "mention",
    "a method is named where it should be called: it is a whole statement, and does nothing",
    on=("method",),
)
set_epoch = verb(
    "set_epoch",
    "a sampler is told the epoch, which seeds its order",
    on=("sampler", "loader"),
    varying="the epoch given is not a constant",
)
retain = verb(
    "retain",
    "a loss, or an output that a backward goes through, is added to what outlives the pass, with the graph that computed it",
    on=("model",),
    learned="what it is added to is backpropagated, so the graph is wanted; it is not where a loss of the pass has been",
    bare="it is added by itself, and not in a dictionary or with other things",
)
tally = verb(
    "tally",
    "what a batch of held-out data comes to, its mean loss, is added to that of others, or handed to a meter",
    on=("meter",),
    validating="nothing is trained in the pass",
    alike="each batch counts as much as any other: their sum is divided by their number, or the meter is not told their size",
    ragged="'known' or 'possible': the last batch of the pass is smaller than the others",
)
snapshot = verb(
    "snapshot",
    "the state of an object is taken as it is: no copy, so it goes on changing with the object",
    on=("state",),
    of="the kind of object that it is the state of, 'model'; 'itself' where the model has another name, as the best one",
    wrapped="of a model, it is that of a wrapper around it: the attribute under which that has the model begins all its keys",
)
save = verb(
    "save",
    "a checkpoint with the states of these objects is written to a file",
    on=("model", "optimizer", "scheduler", "scaler"),
    holds="the kinds of object that it holds the states of: 'model, optimizer'",
    besides="those whose states it has by what its keys say, whatever their values are",
    ranks="every process of a distributed run writes it, and to one file",
    launched="that there are several processes is told by the environment, which the program asks: there may be one",
    unasked="nobody in sight calls the function that it is in: who does may ask for the rank",
    lasting="its file has the same name each time, or another one; 'folder' of a folder of files, which nobody asks that of",
    gathered="weights in it are put together of shards, in which all processes have to take part",
    lacks="the kind of an object that trains with those, and that nothing saves, where it is there to be gone on from",
)
rename = verb(
    "rename",
    "a file that a checkpoint was written to gets another name, in place of what had that",
    on=("model", "optimizer", "scheduler", "scaler"),
)
recall = verb(
    "recall",
    "a state that was taken before is loaded, written to a file, or subtracted from what the object has by now",
    on=("state",),
    saved="it is written to a file",
)
restore = verb(
    "restore",
    "a state is loaded into an object, over what it had",
    on=("model", "optimizer", "scheduler", "scaler", "file"),
    lasts=True,
    wrapped="a model: it goes into a wrapper around it, by the names that things have there",
    drops="the kind of an object that trains with the model, is saved and not loaded, where a file tells how far that had got",
    since="that is the only one of its kind and is made after it, and a loop begins where the file says",
)
average = verb(
    "average",
    "a model is made that is to be an average of another one's weights",
    on=("model",),
    stale="its batch norms keep the statistics that they were made with: those are not averaged",
)
absorb = verb("absorb", "an average takes in the weights that the model has by now", on=("model",))
calibrate = verb(
    "calibrate", "a model's batch norms take new statistics, from data that it is applied to for that", on=("model",)
)
cast = verb(
    "cast",
    "a model's weights themselves become numbers of another type",
    on=("model",),
    parts=False,
    lasts=True,
    to="the type: 'float16', 'bfloat16', 'float32', 'float64'",
)
keep = verb("keep", "gradients are set to zero, and stay where they are in memory", on=("optimizer", "model"))
trim = verb(
    "trim", "memory that torch holds to use it again is given back to the GPU", on=("optimizer",), each="after every batch"
)
serve = verb("serve", "a loader is made whose samples are computed by the process that trains on a GPU", on=("loader",))
hide = verb(
    "hide",
    "a network keeps layers in a list or a dictionary of Python's, into which it does not look for its parameters",
    on=("class",),
    of="what they are in: 'list', 'dict'",
    bare="they are parameters by themselves, and no layers",
)
duplicate = verb(
    "duplicate",
    "a loader reads a stream in several processes, and each of them hands out all that it has",
    on=("class",),
)
discard = verb(
    "discard",
    "a context manager is made and not entered: what it would switch off stays on",
    on=("scope",),
)
escape = verb(
    "escape",
    "objects are handed to code out of sight, which may do anything to them",
    on=("model", "optimizer", "scheduler", "scaler", "loader", "sampler"),
)
