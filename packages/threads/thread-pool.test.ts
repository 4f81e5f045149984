import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { Share, type ThreadLimits, ThreadPool } from './thread-pool.ts'

const limits: ThreadLimits = {
  threadsMax: 2,
  taskCpuMsMax: 200,
  taskMsMax: 20_000,
  idleMsMax: 20_000,
  resources: { maxOldGenerationSizeMb: 32 },
}

const prologue = `import { parentPort } from 'node:worker_threads'
  const send = message => parentPort.postMessage(message)
  parentPort.on('message', task => {`
const body = (script: string) => new URL(`data:text/javascript,${encodeURIComponent(script)}`)
const work = `${prologue}
    if (task === 'endless') for (;;);
    if (task === 'waits') return
    if (task.startsWith('slow')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    if (task === 'large') for (const all = [];;) all.push(new Array(100_000).fill(0.5))
    if (task === 'throws') throw new Error('no')
    if (task === 'exits') process.exit(1)
    send({ answer: task.toUpperCase(), cpuMs: 1 })
  })
  send('ready')`
const working = body(work)

test.each(['endless', 'large', 'throws', 'exits'])(
  'a task that is %s ends with its thread, and other tasks continue',
  async task => {
    const pool = new ThreadPool<string, string>(working, limits)
    expect(await Promise.all([pool.run('a'), pool.run(task), pool.run('b'), pool.run('c')])).toEqual([
      'A',
      null,
      'B',
      'C',
    ])
  },
)

test('time that a task waits for a processor does not count as processor time', async () => {
  const pool = new ThreadPool<string, string>(working, limits)
  expect(await pool.run('slow')).toBe('SLOW')
})

test('a task that uses no processor time is ended at its time limit', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, taskMsMax: 300 })
  expect(await Promise.all([pool.run('waits'), pool.run('a')])).toEqual([null, 'A'])
})

test('a thread pool never starts more threads than its maximum', async () => {
  const pool = new ThreadPool<string, string>(working, limits)
  const sizes = await Promise.all(Array.from('abcdefgh', each => pool.run(each).then(() => pool.size)))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2)
})

test('a share whose task used much processor time waits for all other shares', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, threadsMax: 1 })
  const [slow, quick] = [new Share(), new Share()]
  const ended: string[] = []
  const run = (task: string, share: Share) => pool.run(task, { share }).then(() => ended.push(task))
  await Promise.all([run('endless', slow), run('a', slow), run('b', slow), run('c', quick), run('d', quick)])
  expect(ended).toEqual(['endless', 'c', 'd', 'a', 'b'])
})

test('tasks of one share run one at a time, beside tasks of other shares', async () => {
  const pool = new ThreadPool<string, string>(working, limits)
  const share = new Share()
  const own = ['slow', 'slower', 'a'].map(task => pool.run(task, { share }))
  await own[0]
  expect(pool.size).toBe(1)
  expect(await Promise.all([...own, pool.run('b')])).toEqual(['SLOW', 'SLOWER', 'A', 'B'])
})

test('a share that has used up its processor time runs no further task', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, shareCpuMsMax: 150 })
  const share = new Share()
  const waiting = ['endless', 'a'].map(task => pool.run(task, { share }))
  expect(await Promise.all([...waiting, pool.run('b')])).toEqual([null, null, 'B'])
  expect(await pool.run('c', { share })).toBeNull()
})

test('an aborted task is rejected at once, whether it waits or runs; other tasks continue', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, threadsMax: 1, taskMsMax: 300 })
  const stop = new AbortController()
  const aborted = ['waits', 'a'].map(task => pool.run(task, { signal: stop.signal }))
  const after = pool.run('b')
  stop.abort(new Error('enough'))
  expect(await Promise.allSettled(aborted)).toMatchObject([
    { reason: { message: 'enough' } },
    { reason: { message: 'enough' } },
  ])
  expect(await after).toBe('B')
  await expect(pool.run('c', { signal: stop.signal })).rejects.toThrow('enough')
})

test('a thread that starts slowly is waited for, longer than a task may take', async () => {
  const slowly = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)`
  const pool = new ThreadPool<string, string>(body(`${slowly}\n${work}`), { ...limits, taskMsMax: 300 })
  expect(await pool.run('a')).toBe('A')
})

test('an idle thread is stopped', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, idleMsMax: 1 })
  await pool.run('a')
  await expect.poll(() => pool.size).toBe(0)
  expect(await pool.run('b')).toBe('B')
})

test('a thread that cannot start rejects the tasks', async () => {
  const pool = new ThreadPool<string, string>(body(`throw new Error('broken rules')`), limits)
  await expect(Promise.all([pool.run('a'), pool.run('b')])).rejects.toThrow('broken rules')
})

test('a task waits for a second thread if the first cannot start', async () => {
  const { path, remove } = await createTestDirectory()
  const failing = `import { existsSync, writeFileSync } from 'node:fs'
    const file = ${JSON.stringify(join(path, 'started'))}
    if (!existsSync(file)) {
      writeFileSync(file, '')
      throw new Error('the first')
    }
    ${work}`
  const pool = new ThreadPool<string, string>(body(failing), { ...limits, threadsMax: 1 })
  expect(await pool.run('a')).toBe('A')
  await remove()
})
