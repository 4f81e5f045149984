import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['regime', ...args], { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const source = 'https://www.gob.pe/norma/1'
const stated = ['--from', '2026-10-10', '--source', source, '--why', 'Decree']
const listed = async () => (await customer.ask('/v1/regimes?market=peru')).body.data.regimes

test('commands propose, list, approve and end a regime', async () => {
  const added = await json('add', 'peru', 'suspended', ...stated, '--note', 'Casinos too')
  expect(added).toEqual({ regime_ref: expect.stringMatching(/^reg_/), status: 'proposed' })
  const { regime_ref: ref } = added
  expect([await listed(), await json('list', 'peru')]).toMatchObject([
    [],
    [{ regime_ref: ref, status: 'proposed', vertical: 'all', why: 'Decree', entered_by: null }],
  ])
  expect(await json('approve', ref)).toEqual({ regime_ref: ref, status: 'approved' })
  expect(await listed()).toMatchObject([
    { regime_ref: ref, from: '2026-10-10', to: null, note: 'Casinos too' },
  ])

  const ended = await json('end', ref, '--on', '2026-10-20', '--why', 'Repealed')
  expect(ended.status).toBe('approved')
  expect(await listed()).toMatchObject([{ regime_ref: ended.regime_ref, to: '2026-10-20' }])
  const statuses = (await json('list')).map((each: { status: string }) => each.status)
  expect(statuses).toEqual(['approved', 'closed'])
  expect((await run('list')).stdout).toMatch(
    /^regime_ref .*\nreg_\w+ +approved +peru +all +suspended +2026-10-10/,
  )
  const events = await service.service.live.database
    .selectFrom('audit_events')
    .select(['action', 'email'])
    .orderBy('id')
    .execute()
  expect(events.map(({ action, email }) => [action, email])).toEqual([
    ['regime.entered', null],
    ['regime.approved', null],
    ['regime.end_entered', null],
    ['regime.approved', null],
  ])
})

test('a proposed regime is withdrawn without a day', async () => {
  const { regime_ref: ref } = await json('add', 'uruguay', 'prohibited', ...stated)
  expect(await json('end', ref, '--why', 'A draft')).toEqual({ regime_ref: ref, status: 'withdrawn' })
  expect((await run('approve', ref)).stderr).toBe(
    `${ref} is withdrawn. Only proposed regimes can be approved.\n`,
  )
})

test.each([
  [['add', 'atlantis', 'open', ...stated], 'Unknown market "atlantis". "register list --markets" lists all.'],
  [['add', 'peru', 'legal', ...stated], '"state" must be one of open, licensed_only, '],
  [['add', 'peru', 'open', ...stated, '--vertical', 'bingo'], '"vertical" must be one of all, betting, '],
  [['add', 'peru', 'open', ...stated, '--from', '2026-02-30'], '"from" must be a day, such as 2026-09-25.'],
  [
    ['add', 'peru', 'open', ...stated, '--to', '2026-10-09'],
    'The last day must not be before the first day.',
  ],
  [
    ['add', 'peru', 'open', ...stated, '--source', 'a paper'],
    '"source" must be an address with http or https',
  ],
  [['add', 'peru', 'open', ...stated, '--why', ' '], 'Give a reason. Only staff see it.'],
  [['approve', 'reg_none'], 'Unknown regime "reg_none". "regime list" lists all.'],
  [['end', 'reg_none', '--on', 'soon', '--why', 'x'], '"on" must be a day, such as 2026-09-25.'],
])('a wrong command about regimes changes nothing and says why: %j', async (args, message) => {
  const before = await json('list')
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout, stderr.startsWith(message)]).toEqual([1, '', true])
  expect(await json('list')).toEqual(before)
})
