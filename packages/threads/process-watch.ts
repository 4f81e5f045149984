import type { ChildProcess } from 'node:child_process'
import { processUsage } from './process-usage.ts'

export type TaskLimits = {
  /** Limits resident memory, with memory outside of the heap. Checked on Linux alone. */
  memoryMbMax: number
  /** Limits the processor time of one task. Checked on Linux alone; elsewhere the process has twice of it. */
  taskCpuMsMax: number
  /** Limits the time of one task on the clock, without the time in which its caller handles rows. */
  taskMsMax: number
}

/** The task was ended with its process: it exceeded a limit, or the process crashed. */
export class TaskEnded extends Error {
  readonly reason: 'memory' | 'time' | 'crash'

  constructor(reason: 'memory' | 'time' | 'crash', how: string) {
    super(`the process of the task ended (${reason}, ${how})`)
    this.reason = reason
  }
}

const watchedEveryMs = 25
const wornShare = 0.7
/** V8 aborts a process whose heap is full, and Linux kills one when the machine has no memory left. */
const reasons: Readonly<Record<string, 'memory' | 'time'>> = {
  SIGABRT: 'memory',
  SIGTRAP: 'memory',
  SIGKILL: 'memory',
  SIGXCPU: 'time',
}

/** Kills the process when its task exceeds a limit. */
export class ProcessWatch {
  readonly #child: ChildProcess
  readonly #limits: TaskLimits
  readonly #ended = new AbortController()
  readonly #timer: NodeJS.Timeout
  #cpuMsBefore: number | undefined
  #cpuMs = 0
  #passedMs = 0
  #memoryMb = 0
  #isReading = false
  #hasBegun = false
  #exceeded: 'memory' | 'time' | null = null
  /** True while the caller handles rows. */
  isPaused = false

  constructor(child: ChildProcess, limits: TaskLimits) {
    this.#child = child
    this.#limits = limits
    this.#timer = setInterval(() => void this.#check(), watchedEveryMs)
    child.once('message', this.#begin)
    child.on('exit', this.#end)
    child.on('error', this.#end)
  }

  /** Aborted with the reason when the process has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Says whether another task would have less time or memory in this process than in a new one. */
  get isWorn(): boolean {
    const { taskCpuMsMax, memoryMbMax } = this.#limits
    return this.#cpuMs > taskCpuMsMax || this.#memoryMb > wornShare * memoryMbMax
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#child.off('message', this.#begin)
    this.#child.off('exit', this.#end)
    this.#child.off('error', this.#end)
  }

  async #check(): Promise<void> {
    if (!this.isPaused) this.#passedMs += watchedEveryMs
    if (this.#passedMs > this.#limits.taskMsMax) this.#exceed('time')
    if (this.#isReading || this.#child.pid === undefined) return
    this.#isReading = true
    const usage = await processUsage(this.#child.pid)
    this.#isReading = false
    if (usage === null) return
    this.#cpuMs = usage.cpuMs
    this.#memoryMb = usage.memoryMb
    this.#cpuMsBefore ??= usage.cpuMs
    if (usage.memoryMb > this.#limits.memoryMbMax) this.#exceed('memory')
    if (usage.cpuMs - this.#cpuMsBefore > this.#limits.taskCpuMsMax) this.#exceed('time')
  }

  #exceed(limit: 'memory' | 'time'): void {
    this.#exceeded ??= limit
    this.#child.kill('SIGKILL')
  }

  readonly #begin = () => {
    this.#hasBegun = true
  }

  readonly #end = (code: unknown, signal: string | null = null): void => {
    const how = signal ?? (code instanceof Error ? code.message : `code ${code}`)
    const reason = this.#exceeded ?? reasons[signal ?? ''] ?? 'crash'
    this.#ended.abort(
      reason === 'crash' && !this.#hasBegun
        ? new Error(`a process that reads files could not start: ${how}`)
        : new TaskEnded(reason, how),
    )
  }
}
