/**
 * Worker threads for tasks that a stranger can make slow or large: a thread that exceeds its time or memory
 * is ended with its task. Threads start when needed, and stop when idle.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** A thread sends `ready`, and then one answer for each task. */
export type ThreadMessage<Answer> = 'ready' | { answer: Answer }

export type ThreadLimits = {
  threadsMax: number
  startMsMax: number
  /** Of processor time, so that a busy machine makes no task slow. */
  taskCpuMsMax: number
  taskMsMax: number
  idleMsMax: number
  resources: ResourceLimits
}

type Pending<Task, Answer> = {
  task: Task
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
/** A machine that stood still for a moment lets one start fail. */
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

  /** null: the task exceeded its limits. Rejects if no thread can start. */
  run(task: Task): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, resolve, reject })
      this.assign()
    })
  }

  private assign(): void {
    for (const thread of this.threads) {
      const next = thread.isReady && thread.pending === null ? this.waiting.shift() : undefined
      if (next !== undefined) this.begin(thread, next)
    }
    const starting = [...this.threads].filter(({ isReady }) => !isReady).length
    if (this.waiting.length > starting && this.threads.size < this.limits.threadsMax) this.start()
  }

  private start(): void {
    const { resources: resourceLimits, startMsMax } = this.limits
    const worker = new Worker(this.body, { execArgv: importFlags(), resourceLimits })
    const thread: Thread<Task, Answer> = { worker, isReady: false, pending: null, timer: undefined }
    this.threads.add(thread)
    const late = new Error(`a thread did not start within ${startMsMax / 1_000} s`)
    this.limitTime(thread, startMsMax, late)
    worker.on('message', (message: ThreadMessage<Answer>) => this.receive(thread, message))
    worker.on('error', error => this.end(thread, error))
    worker.on('exit', () => this.end(thread, new Error('a thread has stopped')))
  }

  private begin(thread: Thread<Task, Answer>, pending: Pending<Task, Answer>): void {
    thread.pending = pending
    this.limitTime(thread, this.limits.taskMsMax, null)
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
      return // it has ended
    }
    if (thread.pending === pending) this.end(thread, null)
  }

  private receive(thread: Thread<Task, Answer>, message: ThreadMessage<Answer>): void {
    const { pending } = thread
    thread.isReady = true
    this.failedStarts = 0
    thread.pending = null
    if (message !== 'ready') pending?.resolve(message.answer)
    this.limitTime(thread, this.limits.idleMsMax, null)
    // An idle thread does not keep the process.
    thread.timer?.unref()
    thread.worker.unref()
    this.assign()
  }

  private limitTime(thread: Thread<Task, Answer>, ms: number, error: Error | null): void {
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => this.end(thread, error), ms)
  }

  private end(thread: Thread<Task, Answer>, error: unknown): void {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    thread.pending?.resolve(null)
    if (!thread.isReady) this.failedStarts += 1
    // A thread that cannot start would fail for every task.
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

/** Of the process, which name files relative to its folder. Cached code saves a thread 16 MB. */
function importFlags(): string[] {
  const flag = '--import='
  return process.execArgv
    .filter(each => each.startsWith(`${flag}./`))
    .map(each => flag + pathToFileURL(each.slice(flag.length)).href)
}
