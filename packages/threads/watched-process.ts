/**
 * Runs tasks in a child process, because hostile input can take memory outside of V8's heap, which limits of
 * threads do not cover. The process is killed with its task when it exceeds its memory or processor time.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import { importFlags } from './import-flags.ts'
import type { Failed, FromProcess, ToProcess } from './process-messages.ts'
import { ProcessWatch, type TaskLimits } from './process-watch.ts'
import { untilAborted } from './until-aborted.ts'

/** A file that is sent to the process in pieces, when the process asks for them. */
export type SentFile = { name: string; open(): AsyncIterable<Uint8Array> }

export type ProcessLimits = TaskLimits & { heapMbMax: number; idleMsMax: number }

export { TaskEnded } from './process-watch.ts'

/** The task threw an error in its process. `kind` is the name of its class. */
export class TaskFailed extends Error {
  readonly kind: string

  constructor({ kind, message, stack }: Failed) {
    super(message, { cause: stack })
    this.kind = kind
  }
}

export class WatchedProcess<Task, Row> {
  readonly #body: URL
  readonly #limits: ProcessLimits
  #child: ChildProcess | null = null
  #idleTimer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(body: URL, limits: ProcessLimits) {
    this.#body = body
    this.#limits = limits
  }

  /**
   * Yields the rows of a task in batches. Tasks run one at a time, in the order of their calls. An aborted
   * task throws the signal's reason: a waiting one leaves the queue, a running one is ended with its process.
   */
  async *run(
    task: Task,
    files: readonly SentFile[] = [],
    signal = new AbortController().signal,
  ): AsyncGenerator<Row[], void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const before = this.#last
    // A task that leaves the queue does not let the next one pass those before it.
    this.#last = before.then(() => ended)
    try {
      await untilAborted(before, signal)
      yield* this.#runAlone(task, files, signal)
    } finally {
      end()
    }
  }

  async *#runAlone(task: Task, files: readonly SentFile[], signal: AbortSignal): AsyncGenerator<Row[], void> {
    const child = this.#take()
    const watch = new ProcessWatch(child, this.#limits)
    const ended = AbortSignal.any([watch.ended, signal])
    const conversation = new Conversation<Task, Row>(child, files)
    let isWell = false
    try {
      for await (const rows of conversation.rowsOf(task, ended)) {
        watch.isPaused = true
        yield rows
        watch.isPaused = false
      }
      isWell = true
    } catch (error) {
      isWell = error instanceof TaskFailed
      throw ended.aborted ? ended.reason : error
    } finally {
      watch.stop()
      if (isWell && !watch.isWorn) this.#rest(child)
      else this.#kill(child)
      // A file whose pieces do not arrive does not delay the next task.
      await untilAborted(conversation.close(), ended)
    }
  }

  /** Returns the idle process, or starts one. It takes its task when it is ready. */
  #take(): ChildProcess {
    clearTimeout(this.#idleTimer)
    if (this.#child?.connected) {
      this.#child.ref()
      this.#child.channel?.ref()
    } else this.#child = startProcess(fileURLToPath(this.#body), this.#limits)
    return this.#child
  }

  #kill(child: ChildProcess): void {
    this.#child = null
    child.kill('SIGKILL')
  }

  /** Lets this process exit while its child is idle. */
  #rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#idleTimer = setTimeout(() => this.#kill(child), this.#limits.idleMsMax)
    this.#idleTimer.unref()
  }
}

/** Bounds of the system, for a parent that is too busy to watch: killed, stopped, or in a long turn. */
const limitingScript = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2"; shift 2; exec "$@"'
const semiSpaceMb = 2
/** Node reserves 600 MB of data, of which it uses 30. */
const reservedMb = 1_024

function startProcess(body: string, { heapMbMax, memoryMbMax, taskCpuMsMax }: ProcessLimits): ChildProcess {
  const heap = [`--max-old-space-size=${heapMbMax}`, `--max-semi-space-size=${semiSpaceMb}`]
  const flags = [...importFlags(), ...heap, '--v8-pool-size=1']
  const seconds = Math.ceil((2 * taskCpuMsMax) / 1_000)
  const kilobytes = (reservedMb + memoryMbMax) * 1_024
  const limited = ['-c', limitingScript, 'sh', `${seconds}`, `${kilobytes}`, process.execPath, ...flags]
  const child = fork(body, {
    ...(process.platform === 'win32' ? { execArgv: flags } : { execPath: '/bin/sh', execArgv: limited }),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Keys and passwords stay with the parent.
    env: { MALLOC_ARENA_MAX: '1' },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  // An error of a child without a listener would end the parent.
  return child.on('error', () => {})
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Answers what the process asks while it works on one task. */
class Conversation<Task, Row> {
  readonly #child: ChildProcess
  readonly #files: readonly SentFile[]
  readonly #open = new Map<number, AsyncIterator<Uint8Array>>()

  constructor(child: ChildProcess, files: readonly SentFile[]) {
    this.#child = child
    this.#files = files
  }

  async *rowsOf(task: Task, ended: AbortSignal): AsyncGenerator<Row[], void> {
    const inbox = on(this.#child, 'message', { signal: ended })
    this.#send({ task, names: this.#files.map(({ name }) => name) })
    for await (const [message] of inbox as AsyncIterable<[FromProcess<Row>]>) {
      if (message === 'begun') continue
      if (message === 'done') return
      if ('failed' in message) throw new TaskFailed(message.failed)
      if ('rows' in message) {
        yield message.rows
        this.#send('more')
      } else await untilAborted(this.#serveFile(message), ended)
    }
  }

  async close(): Promise<void> {
    for (const pieces of this.#open.values()) await pieces.return?.()
  }

  async #serveFile(
    message: Extract<FromProcess<Row>, { open: number } | { next: number } | { close: number }>,
  ): Promise<void> {
    if ('open' in message) {
      const file = this.#files[message.open] as SentFile
      this.#open.set(message.of, file.open()[Symbol.asyncIterator]())
    } else if ('next' in message) {
      const next = await this.#open.get(message.next)?.next()
      this.#send({ piece: next === undefined || next.done ? null : next.value, of: message.next })
    } else {
      const pieces = this.#open.get(message.close)
      this.#open.delete(message.close)
      await pieces?.return?.()
    }
  }

  #send(message: ToProcess<Task>): void {
    // An ended process is reported by its watch.
    this.#child.send(message, () => {})
  }
}
