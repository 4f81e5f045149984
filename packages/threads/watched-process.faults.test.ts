import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { processUsage } from './process-usage.ts'
import { type ProcessLimits, TaskEnded, TaskFailed, WatchedProcess } from './watched-process.ts'

const limits: ProcessLimits = {
  memoryMbMax: 160,
  heapMbMax: 64,
  taskCpuMsMax: 1_000,
  taskMsMax: 600_000,
  idleMsMax: 30_000,
}
const body = new URL('./fixture-process.ts', import.meta.url)
const newProcess = (more: Partial<ProcessLimits> = {}) =>
  new WatchedProcess<string, string>(body, { ...limits, ...more })

type Files = Parameters<ReturnType<typeof newProcess>['run']>[1]
type Reader = WatchedProcess<string, string>

async function rowsOf(reader: Reader, task: string, files: Files = [], signal?: AbortSignal) {
  return (await Array.fromAsync(reader.run(task, files, signal))).flat()
}

async function* pieces(count: number, onPiece = () => {}): AsyncGenerator<Uint8Array, void> {
  for (let piece = 0; piece < count; piece++) {
    onPiece()
    yield new Uint8Array(1_000)
  }
}

test('rows of files arrive in order, and the next task has the same process', async () => {
  const reader = newProcess()
  const files = [
    { name: 'a', open: () => pieces(3) },
    { name: 'b', open: () => pieces(0) },
  ]
  const [pid] = await rowsOf(reader, 'pid')
  expect(await rowsOf(reader, 'reads', files)).toEqual(['a: 3000', 'b: 0'])
  const counted = await rowsOf(reader, 'counts to 1000')
  expect(counted).toEqual(Array.from({ length: 1_000 }, (_, row) => String(row + 1)))
  expect(await rowsOf(reader, 'pid')).toEqual([pid])
})

test.each([
  ['fills the heap', 'memory'],
  ['fills memory outside of the heap', 'memory'],
  ['is endless', 'time'],
])('a task that %s is ended at its limit of %s, and the next one is answered', async (task, limit) => {
  // Collecting a full heap takes long, so that the limit of time might come first.
  const reader = newProcess(limit === 'memory' ? { taskCpuMsMax: 60_000 } : {})
  const failure = await rowsOf(reader, task).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TaskEnded)
  expect(failure).toMatchObject({ reason: limit })
  expect(await rowsOf(reader, 'counts to 2')).toEqual(['1', '2'])
})

test('the memory of a task beyond the heap stays near its limit', async () => {
  const reader = newProcess()
  const [pid] = await rowsOf(reader, 'pid')
  let largestMb = 0
  const ended = rowsOf(reader, 'fills memory outside of the heap').catch((error: unknown) => error)
  for (let usage = await processUsage(Number(pid)); usage !== null; usage = await processUsage(Number(pid)))
    largestMb = Math.max(largestMb, usage.memoryMb)
  expect(await ended).toMatchObject({ reason: 'memory' })
  expect(largestMb).toBeGreaterThan(0)
  expect(largestMb).toBeLessThan(2 * limits.memoryMbMax)
})

test('an error of a task has its kind and message, and its process goes on', async () => {
  const reader = newProcess()
  const [pid] = await rowsOf(reader, 'pid')
  const failure = await rowsOf(reader, 'throws').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TaskFailed)
  expect(failure).toMatchObject({ kind: 'RangeError', message: 'no such row' })
  expect(await rowsOf(reader, 'pid')).toEqual([pid])
})

test('a process that ends by itself fails its task, and the next one is answered', async () => {
  const reader = newProcess()
  await expect(rowsOf(reader, 'exits')).rejects.toMatchObject({
    reason: 'crash',
    message: expect.stringContaining('code 7'),
  })
  expect(await rowsOf(reader, 'counts to 1')).toEqual(['1'])
})

test('simultaneous tasks are answered one after the other', async () => {
  const reader = newProcess()
  const tasks = ['counts to 3', 'throws', 'counts to 2'].map(task => rowsOf(reader, task))
  expect(await Promise.allSettled(tasks)).toMatchObject([
    { value: ['1', '2', '3'] },
    { reason: { message: 'no such row' } },
    { value: ['1', '2'] },
  ])
})

test('a task whose rows are not wanted any more is ended', async () => {
  const reader = newProcess()
  for await (const rows of reader.run('counts to 1000000')) if (rows.length > 0) break
  expect(await rowsOf(reader, 'counts to 1')).toEqual(['1'])
})

test('a file is read as far as the task needs it, and closed', async () => {
  const reader = newProcess()
  let read = 0
  let isClosed = false
  const open = async function* () {
    try {
      yield* pieces(1_000, () => {
        read += 1
      })
    } finally {
      isClosed = true
    }
  }
  expect(await rowsOf(reader, 'reads a beginning', [{ name: 'long', open }])).toEqual(['long: 1000'])
  expect([read, isClosed]).toEqual([1, true])
})

test('an error of a file is that of its task', async () => {
  const reader = newProcess()
  const open = async function* () {
    yield* pieces(2)
    throw new Error('the disk is gone')
  }
  await expect(rowsOf(reader, 'reads', [{ name: 'broken', open }])).rejects.toThrow('the disk is gone')
  expect(await rowsOf(reader, 'counts to 1')).toEqual(['1'])
})

/** Starts a task that waits for its file without an end. Resolves when it waits. */
async function startWaiting(reader: Reader) {
  const waits = Promise.withResolvers<void>()
  const stop = new AbortController()
  const open = async function* () {
    waits.resolve()
    yield await new Promise<never>(() => {})
  }
  const rows = rowsOf(reader, 'reads', [{ name: 'endless', open }], stop.signal)
  const outcome = rows.catch((error: unknown) => error)
  await waits.promise
  return { stop, outcome }
}

test('an aborted task that runs is ended with its process, and the next one has a new process', async () => {
  const reader = newProcess()
  const [pid] = await rowsOf(reader, 'pid')
  const { stop, outcome } = await startWaiting(reader)
  const next = rowsOf(reader, 'pid')
  stop.abort('not wanted')
  expect(await outcome).toBe('not wanted')
  expect(await next).not.toEqual([pid])
  await expect.poll(() => isRunning(Number(pid))).toBe(false)
})

test('an aborted task that waits leaves the queue at once, and the others keep their order', async () => {
  const reader = newProcess()
  const [pid] = await rowsOf(reader, 'pid')
  const { stop, outcome } = await startWaiting(reader)
  const leaving = new AbortController()
  const left = rowsOf(reader, 'throws', [], leaving.signal).catch((error: unknown) => error)
  const next = rowsOf(reader, 'pid')
  leaving.abort('not wanted')
  expect(await left).toBe('not wanted')
  // The next task would be answered meanwhile by the process of the first one, which is still running.
  await rowsOf(newProcess(), 'pid')
  expect(isRunning(Number(pid))).toBe(true)
  stop.abort()
  await outcome
  expect(await next).not.toEqual([pid])
})

test('a task of an aborted signal does not run', async () => {
  const reader = newProcess()
  await expect(rowsOf(reader, 'exits', [], AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
  expect(await rowsOf(reader, 'counts to 1')).toEqual(['1'])
})

test('a task that waits without processor time ends at its limit, and the next one is answered', async () => {
  const reader = newProcess({ taskMsMax: 5_000 })
  expect(await rowsOf(reader, 'waits').catch((error: unknown) => error)).toMatchObject({ reason: 'time' })
  expect(await rowsOf(reader, 'counts to 1')).toEqual(['1'])
})

test('the time in which a caller handles rows is not that of the task', async () => {
  const reader = newProcess({ taskMsMax: 5_000 })
  const counts = reader.run('counts to 200')
  await counts.next()
  // Another task is ended by the same limit meanwhile.
  await rowsOf(newProcess({ taskMsMax: 6_000 }), 'waits').catch(() => {})
  expect((await Array.fromAsync(counts)).flat()).toHaveLength(100)
})

test('an idle process is ended, and starts again', async () => {
  const reader = newProcess({ idleMsMax: 1 })
  const [pid] = await rowsOf(reader, 'pid')
  await expect.poll(() => isRunning(Number(pid))).toBe(false)
  expect(await rowsOf(reader, 'pid')).not.toEqual([pid])
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the process does not know the environment of its parent', async () => {
  process.env.SECRET = 'a password'
  expect(await rowsOf(newProcess(), 'secret')).toEqual(['undefined'])
  delete process.env.SECRET
})

test.runIf(existsSync('/proc/self/limits'))(
  'the system limits a process whose parent is too busy',
  async () => {
    const [stated = ''] = await rowsOf(newProcess(), 'system limits')
    expect(stated).toMatch(/Max cpu time +2 /)
    expect(stated).toMatch(/Max core file size +0 /)
    expect(stated).toMatch(new RegExp(`Max data size +${(1_024 + limits.memoryMbMax) * 1_024 ** 2} `))
  },
)

test.each(['waits', 'is endless'])('a process whose task %s ends after its parent was killed', async task => {
  const parent = fileURLToPath(new URL('./fixture-parent.ts', import.meta.url))
  const killed = spawn(process.execPath, [parent, task], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [pid] = await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await expect.poll(() => isRunning(Number(pid)), { timeout: 240_000 }).toBe(false)
})

test('a body that cannot start is no fault of its task', async () => {
  const missing = new WatchedProcess(new URL('./no-such-body.ts', import.meta.url), limits)
  await expect(Array.fromAsync(missing.run('a task'))).rejects.toThrow('could not start: code 1')
})
