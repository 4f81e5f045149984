/**
 * Runs tasks in worker threads, because hostile input can make them slow or large. A thread that exceeds
 * its time or memory is ended with its task. Threads start when needed, and stop when idle.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { importFlags } from './import-flags.ts'

/** A thread sends `ready`, and then one answer for each task. */
export type ThreadMessage<Answer> = 'ready' | { answer: Answer; cpuMs: number }

/**
 * Groups the tasks of one origin, such as one site. They run one at a time, and the share that has used the
 * least processor time is next, so that slow tasks delay their own share.
 */
export class Share {
  usedCpuMs = 0
  isRunning = false
}

export type TaskOptions = {
  /** Absent: the task is a share of its own. */
  share?: Share
  /** Rejects the task with the signal's reason. A running one is left to its limits. */
  signal?: AbortSignal | undefined
}

export type ThreadLimits = {
  threadsMax: number
  /** Limits processor time, which a busy machine does not lengthen. */
  taskCpuMsMax: number
  /** Limits the processor time of a share: its further tasks are not run, and resolve to null. */
  shareCpuMsMax?: number
  taskMsMax: number
  idleMsMax: number
  resources: ResourceLimits
}

type Pending<Task, Answer> = {
  task: Task
  share: Share
  resolve(answer: Answer | null): void
  reject(error: unknown): void
}
type Thread<Task, Answer> = {
  worker: Worker
  isReady: boolean
  pending: Pending<Task, Answer> | null
  timer: NodeJS.Timeout | undefined
}

const cpuReadEveryMsMin = 20
/** Allows one failed start, because a busy machine may lack memory for a moment. */
const startsMax = 2

export class ThreadPool<Task, Answer> {
  private readonly waiting: Pending<Task, Answer>[] = []
  private readonly threads = new Set<Thread<Task, Answer>>()
  private readonly body: URL
  private readonly limits: ThreadLimits
  private failedStarts = 0

  constructor(body: URL, limits: ThreadLimits) {
    this.body = body
    this.limits = limits
  }

  get size(): number {
    return this.threads.size
  }

  /** Resolves to null if the task exceeded its limits. Rejects if no thread can start. */
  run(task: Task, { share = new Share(), signal }: TaskOptions = {}): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.isUsedUp(share)) return resolve(null)
      const leave = () => {
        const place = this.waiting.indexOf(pending)
        if (place !== -1) this.waiting.splice(place, 1)
        reject(signal?.reason)
      }
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', leave)
          end(value)
        }
      const pending = { task, share, resolve: settle(resolve), reject: settle(reject) }
      signal?.addEventListener('abort', leave)
      this.waiting.push(pending)
      this.assign()
    })
  }

  private assign(): void {
    for (const thread of this.threads) {
      const next = thread.isReady && thread.pending === null ? this.takeNext() : undefined
      if (next !== undefined) this.begin(thread, next)
    }
    const starting = [...this.threads].filter(({ isReady }) => !isReady).length
    const idle = new Set(this.waiting.map(({ share }) => share).filter(({ isRunning }) => !isRunning))
    if (idle.size > starting && this.threads.size < this.limits.threadsMax) this.start()
  }

  /** Takes the oldest task of the idle share that has used the least processor time. */
  private takeNext(): Pending<Task, Answer> | undefined {
    let next: Pending<Task, Answer> | undefined
    for (const pending of this.waiting)
      if (!pending.share.isRunning && pending.share.usedCpuMs < (next?.share.usedCpuMs ?? Infinity))
        next = pending
    if (next !== undefined) this.waiting.splice(this.waiting.indexOf(next), 1)
    return next
  }

  private start(): void {
    const worker = new Worker(this.body, { execArgv: importFlags(), resourceLimits: this.limits.resources })
    const thread: Thread<Task, Answer> = { worker, isReady: false, pending: null, timer: undefined }
    this.threads.add(thread)
    worker.on('message', (message: ThreadMessage<Answer>) => this.receive(thread, message))
    worker.on('error', error => this.end(thread, error))
    worker.on('exit', () => this.end(thread, new Error('a thread has stopped')))
  }

  private begin(thread: Thread<Task, Answer>, pending: Pending<Task, Answer>): void {
    thread.pending = pending
    pending.share.isRunning = true
    this.limitTime(thread, this.limits.taskMsMax)
    thread.worker.ref()
    void this.limitCpuTime(thread, pending)
    thread.worker.postMessage(pending.task)
  }

  private async limitCpuTime(thread: Thread<Task, Answer>, pending: Pending<Task, Answer>): Promise<void> {
    const { taskCpuMsMax } = this.limits
    try {
      const before = await cpuMsOf(thread.worker)
      for (let leftMs = taskCpuMsMax; leftMs > 0; ) {
        await pause(Math.max(leftMs, cpuReadEveryMsMin), undefined, { ref: false })
        if (thread.pending !== pending) return
        leftMs = taskCpuMsMax - ((await cpuMsOf(thread.worker)) - before)
      }
    } catch {
      return // The thread has ended.
    }
    if (thread.pending === pending) this.end(thread, null)
  }

  private receive(thread: Thread<Task, Answer>, message: ThreadMessage<Answer>): void {
    const { pending } = thread
    thread.isReady = true
    this.failedStarts = 0
    thread.pending = null
    if (message !== 'ready' && pending !== null) {
      this.endTurn(pending.share, message.cpuMs)
      pending.resolve(message.answer)
    }
    this.limitTime(thread, this.limits.idleMsMax)
    // Lets the process exit while a thread is idle.
    thread.timer?.unref()
    thread.worker.unref()
    this.assign()
  }

  private isUsedUp({ usedCpuMs }: Share): boolean {
    return usedCpuMs >= (this.limits.shareCpuMsMax ?? Infinity)
  }

  private endTurn(share: Share, cpuMs: number): void {
    share.isRunning = false
    share.usedCpuMs += cpuMs
    if (!this.isUsedUp(share)) return
    for (const pending of this.waiting.filter(each => each.share === share)) {
      this.waiting.splice(this.waiting.indexOf(pending), 1)
      pending.resolve(null)
    }
  }

  private limitTime(thread: Thread<Task, Answer>, ms: number): void {
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => this.end(thread, null), ms)
  }

  private end(thread: Thread<Task, Answer>, error: unknown): void {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    if (thread.pending !== null) {
      this.endTurn(thread.pending.share, this.limits.taskCpuMsMax)
      thread.pending.resolve(null)
    }
    if (!thread.isReady) this.failedStarts += 1
    // Rejects all tasks, because a thread that cannot start would fail for every one.
    if (this.failedStarts >= startsMax) {
      this.failedStarts = 0
      for (const { reject } of this.waiting.splice(0)) reject(error)
    }
    this.assign()
  }
}

async function cpuMsOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}
