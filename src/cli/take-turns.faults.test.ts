import { execFile } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { serversBelow } from '../../test/harness/processes.ts'
import { freePort, type Program, runProgram, startProgram } from '../../test/harness/program.ts'

// Commands share one DATA_DIR without a service, and each uses the database while it runs. Each process
// takes a second or two to start.

/** Each test copies this database, because creating one takes as long as a whole test. */
let made: TestDirectory
let directory: TestDirectory
let programs: Program[] = []
let feed: FileHandle | null = null
let port = ''

beforeAll(async () => {
  made = await createTestDirectory()
  await runProgram('cli', ['jobs', 'list'], { DATA_DIR: made.path })
})
afterAll(() => made.remove())
beforeEach(async () => {
  directory = await createTestDirectory()
  // `cp -a` preserves the owner, who may differ from the user who runs the tests.
  await promisify(execFile)('cp', ['-a', `${made.path}/.`, directory.path])
  port = String(await freePort())
})
afterEach(async () => {
  await feed?.close()
  feed = null
  for (const program of programs) await program.kill()
  programs = []
  await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
  await directory.remove()
})

function start(script: 'start' | 'work' | 'cli', ...args: string[]): Program {
  const program = startProgram(script, args, { DATA_DIR: directory.path, LOG_LEVEL: 'info', PORT: port })
  programs.push(program)
  return program
}

/** Starts an import from a pipe, which uses the database until the pipe is closed. */
async function startImport(): Promise<Program> {
  const pipe = join(directory.path, 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  const importing = start('cli', 'import', pipe)
  feed = await open(pipe, 'w')
  return importing
}

async function finishImport(importing: Program) {
  await feed?.write('{"kind":"company","key":"acme"}\n')
  await feed?.close()
  feed = null
  expect(await importing.ended).toMatchObject({ code: 0, stderr: '' })
}

describe.skipIf(process.platform === 'win32')('commands that wait for another command', () => {
  test('a command that waits for another one reports it, and completes when the other ends', async () => {
    const importing = await startImport()
    const second = start('cli', 'dump')
    const waiting = `Waiting for process ${importing.pid}, a command that has not finished yet.\n`
    await eventually('the second waits', () => second.stderr() === waiting)
    await finishImport(importing)
    expect(await second.ended).toEqual({
      code: 0,
      stdout:
        '{"kind":"company","key":"acme","subject_kind":"unknown",' +
        '"role":["unknown"],"affiliate_program":false}\n',
      stderr: waiting,
    })
  })

  test('a worker waits until its database is free, and later commands share the database', async () => {
    const importing = await startImport()
    const worker = start('work')
    await eventually('the worker waits', () => worker.stdout().includes('a command that has not finished'))
    expect(worker.stdout()).not.toContain('waiting for jobs')
    await finishImport(importing)
    await eventually('the worker works', () => worker.stdout().includes('waiting for jobs'))
    expect(await start('cli', 'jobs', 'list').ended).toMatchObject({ code: 0, stderr: '' })
    worker.signal('SIGTERM')
    expect(await worker.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['work', 'start'] as const)(
    'the program %s ends at once when stopped while it waits',
    async script => {
      const importing = await startImport()
      const waiting = start(script)
      await eventually('it waits', () => waiting.stdout().includes('a command that has not finished'))
      waiting.signal('SIGTERM')
      expect(await waiting.ended).toMatchObject({ code: 0, stderr: '' })
      await finishImport(importing)
    },
  )

  test('a service that waits for an import reports it, and then serves the imported data', async () => {
    const importing = await startImport()
    const service = start('start')
    const waiting = `waiting for process ${importing.pid}, a command that has not finished yet`
    await eventually('the service waits', () => service.stdout().includes(waiting))
    await finishImport(importing)
    await eventually('it serves', async () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        answer => answer.ok,
        () => false,
      ),
    )
    expect((await start('cli', 'dump').ended).stdout).toContain('"key":"acme"')
    service.signal('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
