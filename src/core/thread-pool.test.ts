import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { type ThreadLimits, ThreadPool } from './thread-pool.ts'

const limits: ThreadLimits = {
  threadsMax: 2,
  startMsMax: 20_000,
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
    send({ answer: task.toUpperCase() })
  })
  send('ready')`
const working = body(work)

test.each(['endless', 'large', 'throws', 'exits'])(
  'a task that is %s ends with its thread; others go on',
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

test('a task that waits for a processor is not ended by its processor time', async () => {
  const pool = new ThreadPool<string, string>(working, limits)
  expect(await pool.run('slow')).toBe('SLOW')
})

test('a task that takes no processor time ends, too', async () => {
  const pool = new ThreadPool<string, string>(working, { ...limits, taskMsMax: 300 })
  expect(await Promise.all([pool.run('waits'), pool.run('a')])).toEqual([null, 'A'])
})

test('there are never more threads than allowed', async () => {
  const pool = new ThreadPool<string, string>(working, limits)
  const sizes = await Promise.all(Array.from('abcdefgh', each => pool.run(each).then(() => pool.size)))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2)
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
