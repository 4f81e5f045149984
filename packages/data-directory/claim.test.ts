import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Child, startChild } from '../../test/harness/child.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { claimDataDirectory, DataDirectoryInUse } from './claim.ts'
import { findRunning } from './running.ts'

let directory: TestDirectory
let children: Child<object>[] = []

beforeEach(async () => {
  directory = await createTestDirectory()
  children = []
})
afterEach(async () => {
  for (const child of children) await child.kill()
  await directory.remove()
})

async function startClaim(url?: string): Promise<Child<object>> {
  const child = startChild<object>('claim-directory.ts', directory.path, ...(url === undefined ? [] : [url]))
  children.push(child)
  await child.hello
  return child
}

test('a second instance is refused with the process and URL of the first', async () => {
  const owner = await startClaim('http://127.0.0.1:8080')
  const refusal = await claimDataDirectory(directory.path).catch(error => error)
  expect(refusal).toBeInstanceOf(DataDirectoryInUse)
  expect(refusal.message).toContain(`process ${owner.pid}, which serves http://127.0.0.1:8080`)
  expect(refusal.message).toContain('another DATA_DIR')
})

test('a second instance is refused while the first is starting', async () => {
  const owner = await startClaim()
  await expect(claimDataDirectory(directory.path)).rejects.toThrow(
    `process ${owner.pid}, which is just starting`,
  )
  expect(await findRunning(directory.path)).toBeNull()
})

test('if four processes start at once, exactly one of them claims the directory', async () => {
  await (await startClaim()).kill()
  children = Array.from({ length: 4 }, () => startChild<object>('claim-directory.ts', directory.path))
  const hellos = await Promise.allSettled(children.map(child => child.hello))
  expect(hellos.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('kill -9 releases the claim of a directory at once, and its record is ignored', async () => {
  const owner = await startClaim('http://127.0.0.1:8080')
  await owner.kill()
  expect(await findRunning(directory.path)).toBeNull()
  const claim = await claimDataDirectory(directory.path)
  expect(await findRunning(directory.path)).toBeNull() // The claim of this test has not been announced.
  await claim.release()
})

test('a running instance can be found, with its process id, address and database', async () => {
  const owner = await startClaim('http://127.0.0.1:8080')
  expect(await findRunning(directory.path)).toEqual({
    pid: owner.pid,
    url: 'http://127.0.0.1:8080',
    database: { url: 'postgresql://somewhere/else' },
  })
})

test('a process that looks for a running instance never prevents a start', async () => {
  for (let round = 0; round < 20; round++) {
    const [claim] = await Promise.all([claimDataDirectory(directory.path), findRunning(directory.path)])
    await claim.release()
  }
})

test('a directory whose instance has stopped can be claimed again', async () => {
  const first = await claimDataDirectory(directory.path)
  await first.announce({
    url: null,
    database: { host: '/run', port: 5432, user: 'baize', database: 'baize' },
  })
  await first.release()
  await first.release()
  expect(await findRunning(directory.path)).toBeNull()
  await (await claimDataDirectory(directory.path)).release()
})

test('only its owner can read the record of a running instance, which may contain a password', async () => {
  const claim = await claimDataDirectory(directory.path)
  await claim.announce({ url: null, database: { url: 'postgresql://baize:secret@localhost/baize' } })
  expect((await stat(join(directory.path, 'running.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory.path, 'instance.lock'))).mode & 0o777).toBe(0o600)
  await claim.release()
})

test('a directory that was never claimed has no instance, even if it contains a running.json', async () => {
  await writeFile(
    join(directory.path, 'running.json'),
    '{"pid":1,"url":"http://127.0.0.1","database":{"url":"x"}}',
  )
  expect(await findRunning(directory.path)).toBeNull()
  expect(await findRunning(join(directory.path, 'nowhere'))).toBeNull()
})
