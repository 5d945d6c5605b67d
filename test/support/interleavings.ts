// Every order of several actors' steps, none left out. An actor is a function that acts through doors only (a disk, the table of
// processes, what it reports); so what it does next depends on the answers it got and on nothing else. Two schedules that
// lead to the same files and the same answers are one from there on: that is all the pruning there is.

import type { Disk } from '../../src/core/disk';
import { type Answer, callDisk, type DiskCall, diskOver, type MemoryFiles } from './memoryDisk';

export interface Doors {
  readonly disk: Disk & { overwrite: Disk['append'] };
  /** Whether a process lives at the moment of asking. */
  isAlive(pid: number): Promise<boolean>;
  /** Tells the test where the actor stands; a step like any other. */
  report(event: string, detail?: unknown): Promise<void>;
}

export interface Actor {
  readonly pid: number;
  act(doors: Doors): Promise<void>;
}

export type Step =
  | DiskCall
  | { readonly call: 'isAlive'; readonly args: readonly [number] }
  | { readonly call: 'report'; readonly args: readonly [event: string, detail: unknown] };

/** What a test keeps beside the files; a value that JSON can hold. */
export interface Exploration<World> {
  readonly files: MemoryFiles;
  readonly world: World;
  readonly actors: readonly Actor[];
  /** Other processes that live. */
  readonly alive: readonly number[];
  readonly now: number;
  /** Whether one of the actors may die before each of its steps, and half-way through each that writes. */
  readonly isKilling: boolean;
  /** After each step: the world that follows. Throws when a promise is broken. */
  after(world: World, pid: number, step: Step, files: MemoryFiles): World;
  afterDeath(world: World, pid: number): World;
  /** When all have ended or died. */
  atEnd(world: World, files: MemoryFiles, alive: ReadonlySet<number>): Promise<void>;
}

export interface Explored {
  /** Different schedules, each from the start to the end. */
  readonly schedules: bigint;
  /** Different situations they lead through. */
  readonly situations: number;
  readonly ends: number;
}

interface Situation<World> {
  readonly files: MemoryFiles;
  readonly alive: readonly number[];
  readonly world: World;
  /** `undefined` for a dead one. */
  readonly at: readonly (Place | undefined)[];
}

/** Throws the first broken promise, with the schedule that led to it. */
export async function exploreInterleavings<World>(exploration: Exploration<World>): Promise<Explored> {
  const { actors, now, isKilling } = exploration;
  const minds = actors.map(createMind);
  const known = new Map<string, bigint>();
  const nameOf = namesOfFiles();
  const schedule: string[] = [];
  let ends = 0;

  function keyOf({ files, alive, world, at }: Situation<World>): string {
    return [nameOf(files), alive.join(), JSON.stringify(world), ...at.map((place) => place?.id ?? 'dead')].join('|');
  }

  async function from(situation: Situation<World>): Promise<bigint> {
    const key = keyOf(situation);
    const before = known.get(key);
    if (before !== undefined) return before;
    let schedules = 0n;
    let isEnd = true;
    for (const [index, place] of situation.at.entries()) {
      if (!place?.step) continue;
      isEnd = false;
      schedules += await along(index, place.step, '', () => go(situation, index, place));
      if (isKilling && situation.at.every((other) => other !== undefined)) {
        schedules += await along(index, place.step, 'dies before ', async () => die(situation, index));
        if (['create', 'append', 'overwrite'].includes(place.step.call))
          schedules += await along(index, place.step, 'dies half-way through ', async () =>
            die(situation, index, place.step as DiskCall),
          );
      }
    }
    if (isEnd) {
      ends += 1;
      schedules = 1n;
      await along(0, undefined, 'the end', async () => {
        await exploration.atEnd(situation.world, situation.files, new Set(situation.alive));
        return undefined;
      });
    }
    known.set(key, schedules);
    return schedules;
  }

  async function along(
    index: number,
    step: Step | undefined,
    how: string,
    next: () => Promise<Situation<World> | undefined>,
  ): Promise<bigint> {
    schedule.push(step ? `${actors[index]?.pid}: ${how}${step.call} ${step.args.join(' ').slice(0, 160)}` : how);
    let following: Situation<World> | undefined;
    try {
      following = await next();
    } catch (error) {
      throw new Error(`${(error as Error).message}\nafter\n${schedule.join('\n')}`, { cause: error });
    }
    const schedules = following ? await from(following) : 0n;
    schedule.pop();
    return schedules;
  }

  async function go(situation: Situation<World>, index: number, place: Place): Promise<Situation<World>> {
    const step = place.step as Step;
    const { pid } = actors[index] as Actor;
    let { files } = situation;
    let answer: Answer = {};
    if (step.call === 'isAlive') answer = { value: situation.alive.includes(step.args[0]) };
    else if (step.call !== 'report') {
      const done = callDisk(files, step, now, pid * 1000 + place.depth);
      answer = done.answer;
      files = done.files ?? files;
    }
    const world = exploration.after(situation.world, pid, step, files);
    const next = await (minds[index] as Mind).after(place, answer);
    return { ...situation, files, world, at: situation.at.with(index, next) };
  }

  function die(situation: Situation<World>, index: number, cut?: DiskCall): Situation<World> {
    const { pid } = actors[index] as Actor;
    const text = String(cut?.args[1] ?? '');
    const half = cut && { ...cut, args: [cut.args[0], text.slice(0, text.length / 2)] };
    const place = situation.at[index] as Place;
    return {
      files: (half && callDisk(situation.files, half, now, pid * 1000 + place.depth).files) ?? situation.files,
      alive: situation.alive.filter((other) => other !== pid),
      world: exploration.afterDeath(situation.world, pid),
      at: situation.at.with(index, undefined),
    };
  }

  const schedules = await from({
    files: exploration.files,
    world: exploration.world,
    alive: [...exploration.alive, ...actors.map(({ pid }) => pid)],
    at: await Promise.all(minds.map((mind) => mind.start())),
  });
  return { schedules, situations: known.size, ends };
}

/** A short name for each different state of a disk. */
function namesOfFiles(): (files: MemoryFiles) => number {
  const numbers = new Map<string, number>();
  const names = new WeakMap<MemoryFiles, number>();
  return (files) => {
    let name = names.get(files);
    if (name === undefined) {
      const text = JSON.stringify([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
      name = numbers.get(text) ?? numbers.size;
      numbers.set(text, name);
      names.set(files, name);
    }
    return name;
  };
}

/** Where an actor stands: the answers it got. */
interface Place {
  readonly id: number;
  readonly depth: number;
  /** What it does next; `undefined` when it has ended. */
  readonly step: Step | undefined;
  readonly parent?: Place;
  readonly answer?: Answer;
  readonly next: Map<string, Place>;
}

interface Mind {
  start(): Promise<Place>;
  after(place: Place, answer: Answer): Promise<Place>;
}

/** What an actor does after each series of answers, found by letting it act and telling it those answers. */
function createMind(actor: Actor): Mind {
  let count = 0;
  let root: Place | undefined;
  let live: { readonly run: Run; at: Place } | undefined;

  function placeOf(step: Step | undefined, parent?: Place, answer?: Answer): Place {
    count += 1;
    const depth = (parent?.depth ?? -1) + 1;
    return { id: count, depth, step, next: new Map(), ...(parent && answer ? { parent, answer } : {}) };
  }

  async function runTo(place: Place): Promise<Run> {
    if (live?.at === place) return live.run;
    const answers: Answer[] = [];
    for (let here: Place | undefined = place; here?.answer; here = here.parent) answers.unshift(here.answer);
    const run = startRun(actor);
    await run.next();
    for (const answer of answers) await run.next(answer);
    return run;
  }

  return {
    async start() {
      if (root) return root;
      const run = startRun(actor);
      root = placeOf(await run.next());
      live = { run, at: root };
      return root;
    },
    async after(place, answer) {
      const key = JSON.stringify(answer);
      const known = place.next.get(key);
      if (known) return known;
      const run = await runTo(place);
      const next = placeOf(await run.next(answer), place, answer);
      place.next.set(key, next);
      live = { run, at: next };
      return next;
    },
  };
}

interface Run {
  /** Tells the answer to the step before, and waits for the next one; `undefined` at the actor's end. */
  next(answer?: Answer): Promise<Step | undefined>;
}

function startRun({ pid, act }: Actor): Run {
  const tokens = steadyTokens(pid);
  let asked: ((step: Step | undefined) => void) | undefined;
  let failed: ((error: unknown) => void) | undefined;
  let tell: ((answer: Answer) => void) | undefined;

  function take(step: Step): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (tell) return reject(new Error('An actor takes one step at a time.'));
      tell = resolve;
      asked?.({ ...step, args: step.args.map(tokens.out) } as Step);
    });
  }
  const doors: Doors = {
    disk: diskOver(take),
    isAlive: async (other) => (await take({ call: 'isAlive', args: [other] })).value === true,
    report: async (event, detail) => void (await take({ call: 'report', args: [event, detail] })),
  };
  return {
    next(answer) {
      return new Promise((resolve, reject) => {
        asked = resolve;
        failed = reject;
        if (!answer) {
          act(doors).then(
            () => asked?.(undefined),
            (error) => failed?.(error),
          );
          return;
        }
        const told = tell;
        tell = undefined;
        told?.({ ...answer, value: tokens.in(answer.value) });
      });
    },
  };
}

/** What an actor draws by chance gets a name that is the same in each of its runs. */
function steadyTokens(pid: number) {
  const names = new Map<string, string>();
  const drawn: string[] = [];
  const replaced = (text: string) =>
    text.replace(/(?<![\w-])(?:[0-9a-f]{24}|[0-9a-f]{12}(?=\.tmp))(?![\w-])/g, (token) => {
      const name = names.get(token) ?? `token-${pid}-${drawn.push(token) - 1}`;
      names.set(token, name);
      return name;
    });
  const own = new RegExp(`token-${pid}-(\\d+)`, 'g');
  const back = (text: string) => text.replace(own, (_name, at: string) => drawn[Number(at)] ?? '');
  return {
    out: (value: unknown): unknown => (typeof value === 'string' ? replaced(value) : value),
    in(value: unknown): unknown {
      if (typeof value === 'string') return back(value);
      if (!Array.isArray(value)) return value;
      return value.map((entry: { name: string }) => ({ ...entry, name: back(entry.name) }));
    },
  };
}
