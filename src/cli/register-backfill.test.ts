import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { declaredData } from '../../test/harness/declared-schema.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 100 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, stderr }).toEqual({ args, stderr: '' })
  return { code, report: JSON.parse(stdout) }
}

const licensees = (from: number, to: number) =>
  JSON.stringify(
    Array.from({ length: to - from }, (_, index) => ({
      companyName: `Heron ${from + index} Limited`,
      authorisationNumber: `MGA/B2C/${from + index}/2026`,
      registrationNumber: `C ${from + index}`,
    })),
  )

async function folderOf(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(directory.path, name)
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

const feed = async (path: string, caller = customer) => {
  const { status, body } = await caller.ask(`/v1/signals/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const changes = 'register-changes?jurisdiction=mga'

describe('a folder of dated files', () => {
  let folder = ''

  test('a folder of dated files is read in the order of the dates in the file names', async () => {
    folder = await folderOf('mga', {
      'licensees_20260301.json': licensees(100, 143),
      'licensees-2026-01-01.json': licensees(100, 140),
      '2026.02.01/register.json': licensees(100, 142),
      '.hidden': 'no file of the register',
    })
    const { code, report } = await json('register', 'backfill', 'mga.licensees', folder)
    expect(code).toBe(0)
    expect(report).toMatchObject({ stream: 'mga.licensees', skipped: 0, left: 0 })
    expect(
      report.snapshots.map((each: (typeof report.snapshots)[number]) => [
        each.taken_at,
        each.status,
        each.added,
        each.signals,
      ]),
    ).toEqual([
      ['2026-01-01T00:00:00.000Z', 'applied', 40, 0],
      ['2026-02-01T00:00:00.000Z', 'applied', 2, 2],
      ['2026-03-01T00:00:00.000Z', 'applied', 1, 1],
    ])
  })

  test('Signals of a backfilled folder are free, have their historical dates, and are marked', async () => {
    const poor = await service.customer({ credits: 0 })
    for (const [name, path] of [
      ['list_register_changes', changes],
      ['list_market_entries', 'market-entries?role=operator&market=mga'],
    ] as const) {
      const page = await feed(path, poor)
      expect(declaredData(name)(page)).toBeNull()
      expect(page).toMatchObject({ total: 3, billing: { credits_charged: 0, breakdown: [] } })
      expect(
        page.signals.map((signal: (typeof page.signals)[number]) => [
          signal.backfilled,
          signal.change.occurred_at.slice(0, 10),
        ]),
      ).toEqual([
        [true, '2026-02-01'],
        [true, '2026-02-01'],
        [true, '2026-03-01'],
      ])
    }
  })

  test('a backfilled change is found in the window of its historical date', async () => {
    const page = await feed(`${changes}&occurred_from=2026-02-15&occurred_to=2026-03-15`)
    expect(page.signals).toHaveLength(1)
  })

  test('a folder that is read again is skipped, and a later change is a paid Signal', async () => {
    const again = await json('register', 'backfill', 'mga.licensees', folder)
    expect(again).toMatchObject({ code: 0, report: { snapshots: [], skipped: 3 } })
    const file = join(directory.path, 'today.json')
    await writeFile(file, licensees(100, 144))
    // A snapshot is also history if it is later than three times its interval.
    const takenAt = '2026-03-08T00:00:00Z'
    const { report } = await json('register', 'sync', 'mga.licensees', '--file', file, '--taken-at', takenAt)
    expect(report).toMatchObject({ status: 'applied', signals: 1 })
    const page = await feed(changes)
    expect(page.signals.at(-1)).toMatchObject({ backfilled: false })
    expect(page.billing.credits_charged).toBe(1)
  })

  test('a folder whose files predate the stored snapshots changes nothing', async () => {
    const older = await folderOf('older', { '2025-12-01.json': licensees(1, 40) })
    const { code, stdout } = await run('register', 'backfill', 'mga.licensees', older)
    expect(code).toBe(0)
    expect(stdout).toContain('0 dates read, 1 skipped because they are not after the last snapshot.')
  })
})

describe('a backfill that meets bad files', () => {
  const hosts = (count: number) =>
    `${Array.from({ length: count }, (_, number) => `blocked-${number}.example`).join('\n')}\n`

  test('a backfill stops at a quarantined snapshot, and skips unreadable files', async () => {
    const folder = await folderOf('belgium', {
      '2026-01-01.txt': hosts(100),
      '2026-01-02.txt': '<html>an error</html>',
      '2026-01-03.txt': hosts(40),
      '2026-01-04.txt': hosts(41),
    })
    const { code, stdout } = await run('register', 'backfill', 'belgium.blocklist', folder)
    expect(code).toBe(1)
    expect(stdout).toMatch(/2026-01-02: \S.+/)
    const [, ref = ''] = /register approve (snap_\w+)/.exec(stdout) ?? []
    expect(stdout).toContain('Stopped at a quarantined snapshot; 1 dates are left.')

    expect((await json('register', 'approve', ref, '--why', 'it is so')).report.status).toBe('applied')
    const rest = await json('register', 'backfill', 'belgium.blocklist', folder)
    expect(rest).toMatchObject({ code: 0, report: { snapshots: [{ added: 1, signals: 1 }] } })
    const page = await feed('register-changes?jurisdiction=belgium&page_size=20')
    expect(page.total).toBe(61)
    expect(new Set(page.signals.map((each: { backfilled: boolean }) => each.backfilled))).toEqual(
      new Set([true]),
    )
  })

  test.each([
    ['without a date in a name', { 'list_v70.txt': 'x', '2026-01-01.txt': 'y' }, 'list_v70.txt'],
    ['with a date that is none', { '2026-02-31.txt': 'x' }, '1 file has no date in the name'],
    ['without a file', { '2026-01-01/.keep': '' }, 'has no files'],
  ])('a backfill of a folder %s is refused before anything is read', async (what, files, reason) => {
    const folder = await folderOf(what, files)
    const { code, stderr } = await run('register', 'backfill', 'france.blocklist', folder)
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)])
    await rm(folder, { recursive: true })
    const missing = await run('register', 'backfill', 'france.blocklist', folder)
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read')])
  })

  test('a replay of a backfilled history gives the same facts', async () => {
    const { code, report } = await json('verify')
    expect({ code, report }).toMatchObject({ code: 0, report: { ok: true } })
  })
})
