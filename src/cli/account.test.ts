import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { startService, type TestService } from '../../test/harness/service.ts'
import { msLater } from '../../test/harness/time.ts'

let database: TestDatabase
let elsewhere: TestDatabase
let directory: TestDirectory
let service: TestService

beforeAll(async () => {
  database = await createTestDatabase()
  elsewhere = await createTestDatabase()
  directory = await createTestDirectory()
  service = await startService()
})
afterAll(async () => {
  await service.close()
  await database.drop()
  await elsewhere.drop()
  await directory.remove()
})

const run = (args: readonly string[], { url } = database) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: url })
const create = (name: string) => run(['account', 'create', '--name', name, '--json'])

test('an account with any accepted name can be dumped, and imported into another database', async () => {
  const long = 'Ö'.repeat(500)
  for (const name of [long, '  Otter Ltd ']) expect(await create(name)).toMatchObject({ code: 0, stderr: '' })
  const file = join(directory.path, 'dump.ndjson')
  expect(await run(['dump', '--out', file])).toMatchObject({ code: 0 })
  expect(await run(['import', file], elsewhere)).toMatchObject({
    code: 0,
    stdout: 'account: 2 added, 0 changed, 0 unchanged\n',
  })
  const copy = join(directory.path, 'copy.ndjson')
  await run(['dump', '--out', copy], elsewhere)
  expect(await readFile(copy, 'utf8')).toBe(await readFile(file, 'utf8'))
  expect((await readFile(file, 'utf8')).match(/(?<="name":")[^"]+/g)?.sort()).toEqual(['Otter Ltd', long])
})

test.each([
  ['of blanks', '   '],
  ['of more characters than a dump may write', 'x'.repeat(501)],
])('account create refuses a name %s, and reports which names are accepted', async (_, name) => {
  expect(await create(name)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'An account name must have 1 to 500 characters.\n',
  })
})

test('a grant beyond the exact integers of JSON is refused and changes nothing', async () => {
  const ref: string = JSON.parse((await create('Rich')).stdout).account_ref
  const grant = (credits: number) => run(['account', 'grant', ref, String(credits)])
  const most = 999_999_999_999_999
  for (let times = 0; times < 9; times += 1) expect(await grant(most)).toMatchObject({ code: 0, stderr: '' })
  const refusal = {
    code: 1,
    stdout: '',
    stderr:
      'An account can be granted at most 9007199254740991 credits, ' +
      'and has 8999999999999991; nothing was added.\n',
  }
  expect(await grant(most)).toEqual(refusal)
  const shown = async () => JSON.parse((await run(['account', 'show', ref, '--json'])).stdout)
  expect((await shown()).credits_granted).toBe(9 * most)
  expect(await grant(Number.MAX_SAFE_INTEGER - 9 * most)).toMatchObject({ code: 0, stderr: '' })
  expect((await shown()).credits_granted).toBe(Number.MAX_SAFE_INTEGER)
  expect(await grant(1)).toMatchObject({ code: 1, stdout: '' })
  expect((await run(['verify', '--no-replay'])).code).toBe(0)
})

describe('account plan', () => {
  const plan = (ref: string, ...rest: string[]) => run(['account', 'plan', ref, ...rest], service.database)

  test('account plan changes the plan of a running service within 5 seconds, and is audited', async () => {
    const customer = await service.customer({ plan: 'free' })
    const ask = () =>
      customer.ask('/v1/exports', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await ask()).body.errors.details.current_plan).toBe('free')
    const { accountRef: ref } = customer
    const changed = await plan(ref, 'starter', '--why', 'paid', '--json')
    expect(changed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(changed.stdout)).toMatchObject({ account_ref: ref, plan: 'starter' })
    expect((await msLater(5_000, ask)).status).toBe(202)
    expect((await customer.ask('/v1/account')).body.data.plan).toBe('starter')
    expect(await plan(ref, 'free')).toMatchObject({ code: 0, stdout: `${ref} has the plan free\n` })
    const shown = await run(['account', 'show', ref, '--json'], service.database)
    expect(JSON.parse(shown.stdout)).toMatchObject({
      plan: 'free',
      plan_changes: [
        { plan_before: 'starter', plan_after: 'free', reason: 'changed by staff' },
        { plan_before: 'free', plan_after: 'starter', reason: 'paid', changed_at: expect.any(String) },
      ],
    })
    await eventually('the plan free', async () => (await ask()).status === 402)
  })

  test('account plan refuses an unknown plan, the same plan, and internal or unknown accounts', async () => {
    const { accountRef: ref } = await service.customer({ plan: 'growth' })
    const { accountRef: staff } = await service.customer({ plan: 'internal' })
    const refusals: [string[], string][] = [
      [[ref, 'gold'], 'PLAN must be one of free, starter, growth, internal.'],
      [[ref, 'growth'], `${ref} already has the plan growth.`],
      [[ref, 'internal'], 'A plan cannot change to or from internal, which alone has no quota.'],
      [[staff, 'growth'], 'A plan cannot change to or from internal, which alone has no quota.'],
      [['acc_nobody', 'growth'], 'There is no account acc_nobody.'],
      [[ref, 'free', '--why', ' '], 'Give a reason; it is stored with the change.'],
    ]
    for (const [[account = '', ...rest], message] of refusals)
      expect(await plan(account, ...rest)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
    const shown = await run(['account', 'show', ref, '--json'], service.database)
    expect(JSON.parse(shown.stdout)).toMatchObject({ plan: 'growth', plan_changes: [] })
  })
})

test('account list has every account once, oldest first, page by page', async () => {
  const created: string[] = []
  for (const plan of ['free', 'starter', 'growth', 'internal'] as const)
    created.push((await service.customer({ plan, credits: 7 })).accountRef)
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['account', 'list', ...args, '--json'], service.database)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as { account_ref: string }[]
  }
  const all = await list()
  expect(all.slice(-4)).toMatchObject([
    { account_ref: created[0], name: 'A customer', plan: 'free', credits_granted: 7, available_credits: 7 },
    { account_ref: created[1], plan: 'starter' },
    { account_ref: created[2], plan: 'growth' },
    { account_ref: created[3], plan: 'internal', credits_granted: null },
  ])
  const paged: unknown[] = []
  for (let after: string | undefined; ; ) {
    const page = await list('--limit', '2', ...(after === undefined ? [] : ['--after', after]))
    paged.push(...page)
    after = page.at(-1)?.account_ref
    if (page.length < 2) break
  }
  expect(paged).toEqual(all)
  for (const limit of ['0', '1001'])
    expect(await run(['account', 'list', '--limit', limit], service.database)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'A list must have 1 to 1000 accounts.\n',
    })
})
