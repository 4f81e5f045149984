import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandResult } from '@baize/terminal'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { contact, fullResult, listResult, target } from '../features/prospect-lists/fixture.ts'
import { requestProspectList } from '../features/prospect-lists/index.ts'
import { prospectListCommands } from './prospect-list.ts'

let service: TestService
let directory: TestDirectory
let customer: Customer

beforeAll(async () => {
  service = await startService()
  directory = await createTestDirectory()
  vi.stubEnv('DATABASE_URL', service.database.url)
  vi.stubEnv('BASE_URL', '') // Vitest sets BASE_URL to another value.
  customer = await service.customer()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
  await directory.remove()
})

/** Runs a command line and returns its one result. */
async function run(...args: string[]): Promise<CommandResult> {
  const printed: CommandResult[] = []
  const program = new Command('baize').exitOverride()
  program.configureOutput({ writeErr: () => {} })
  prospectListCommands(program, {
    print: each => void printed.push(each),
    progress: () => {},
    done: async () => ({ failed: false }),
  })
  await program.parseAsync(['prospect-list', ...args], { from: 'user' })
  expect(printed).toHaveLength(1)
  return printed[0] as CommandResult
}

let files = 0
async function fileOf(content: unknown): Promise<string> {
  files += 1
  const path = join(directory.path, `result-${files}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

async function create(cadence = 'one_time'): Promise<string> {
  const { json } = await run('create', customer.accountRef, '--cadence', cadence)
  return (json as { prospect_list_ref: string }).prospect_list_ref
}

const statusOf = async (ref: string) => (await customer.ask(`/v1/prospect-lists/${ref}`)).body.data?.status

test('staff prepare and deliver a requested list by commands, and its client downloads it', async () => {
  const created = await run('create', customer.accountRef, '--cadence', 'weekly')
  expect(created.json).toEqual({
    prospect_list_ref: expect.stringMatching(/^pl_[0-9A-Za-z]{20}$/),
    status: 'requested',
    cadence: 'weekly',
  })
  const { prospect_list_ref: ref } = created.json as { prospect_list_ref: string }
  expect(created.text).toBe(`${ref}  requested, weekly`)
  expect(await statusOf(ref)).toBe('requested')

  const common = {
    prospect_list_ref: ref,
    account_ref: customer.accountRef,
    account_name: 'A customer',
    cadence: 'weekly',
    requested_at: expect.any(Date),
    ready_at: null,
    target_account_count: null,
    requested_by: null,
  }
  expect(await run('prepare', ref)).toEqual({
    json: { ...common, status: 'preparing' },
    text: `${ref} is preparing`,
  })
  expect(await statusOf(ref)).toBe('preparing')

  const delivered = await run('deliver', ref, '--result', await fileOf(fullResult))
  expect(delivered).toEqual({
    json: {
      ...common,
      status: 'ready',
      ready_at: expect.any(Date),
      target_account_count: 2,
      suppressed_contacts: 0,
    },
    text: `${ref} is ready, with 2 targets`,
  })
  const { body } = await customer.ask(`/v1/prospect-lists/${ref}`)
  expect(body.data).toMatchObject({ status: 'ready', result: fullResult })

  expect((await run('cancel', ref)).json).toMatchObject({ status: 'cancelled', target_account_count: null })
  expect(await statusOf(ref)).toBeUndefined()
})

describe('a decision that the state of a list forbids', () => {
  const states = {
    requested: async () => create(),
    preparing: async () => {
      const ref = await create()
      await run('prepare', ref)
      return ref
    },
    ready: async () => {
      const ref = await create()
      await run('deliver', ref, '--result', await fileOf(fullResult))
      return ref
    },
    cancelled: async () => {
      const ref = await create()
      await run('cancel', ref)
      return ref
    },
  }
  const deliver = async (ref: string) =>
    run('deliver', ref, '--result', await fileOf(listResult(target('t1'))))
  const decisions: Record<string, (ref: string) => Promise<CommandResult>> = {
    prepare: ref => run('prepare', ref),
    deliver,
    cancel: ref => run('cancel', ref),
    assign: ref => run('assign', ref, customer.accountRef),
  }
  const allowed: Record<keyof typeof states, string[]> = {
    requested: ['prepare', 'deliver', 'cancel'],
    preparing: ['deliver', 'cancel'],
    ready: ['cancel'],
    cancelled: [],
  }
  const cases = Object.keys(states).flatMap(state =>
    Object.keys(decisions).map(decision => [decision, state as keyof typeof states] as const),
  )
  test.each(cases)(
    'the command %s succeeds for a list that is %s only if the state allows it',
    async (decision, state) => {
      const ref = await states[state]()
      const deciding = decisions[decision]?.(ref)
      if (allowed[state].includes(decision))
        expect((await deciding)?.json).toMatchObject({ prospect_list_ref: ref })
      else await expect(deciding).rejects.toThrow(ref)
    },
  )

  test.each(Object.keys(decisions))(
    'the command %s of an unknown list reports that the list does not exist',
    async decision => {
      await expect(decisions[decision]?.('pl_nowhere')).rejects.toThrow(
        'Prospect list pl_nowhere does not exist.',
      )
    },
  )
})

describe('an invalid result of a prospect list', () => {
  test.each<[string, unknown, string]>([
    ['is not JSON', '{"schema_version":', 'invalid JSON'],
    ['is of another version', { ...fullResult, schema_version: 2 }, 'schema_version: must be 1'],
    [
      'has wrong values deep in it',
      listResult(target('a', { name: '' }), target('a')),
      'target_accounts[0].name: must be non-blank text on one line',
    ],
    [
      'has many problems',
      listResult(...Array.from({ length: 7 }, (_, at) => target(`t${at}`, { key_contacts: [] }))),
      'target_accounts[4].key_contacts: must have at least 1 item; and 2 more problems',
    ],
    ['is too large', ' '.repeat(4 * 1024 * 1024 + 1), 'a result must have at most 4194304 bytes'],
  ])('a result that %s is refused, and the list stays unchanged', async (_, content, message) => {
    const ref = await create()
    const delivering = run('deliver', ref, '--result', await fileOf(content))
    await expect(delivering).rejects.toThrow(message)
    await expect(delivering).rejects.toHaveProperty('name', 'StaffError')
    expect(await statusOf(ref)).toBe('requested')
  })

  test('a missing result file is reported by its path', async () => {
    const file = join(directory.path, 'nowhere.json')
    await expect(run('deliver', 'pl_1', '--result', file)).rejects.toThrow(`${file}: no such file`)
  })
})

test('a prospect list that the public form requested must be assigned before it is delivered', async () => {
  const form = { name: 'Ada', email: 'ada@gateway.example', company: 'Gateway', request: 'Two\nlines' }
  await requestProspectList(service.service.live, form, new Date())
  const waiting = await run('list', '--unassigned')
  const [list, ...others] = waiting.json as { prospect_list_ref: string }[]
  expect(others).toEqual([])
  expect(list).toMatchObject({ account_ref: null, status: 'requested', requested_by: form })
  expect(waiting.text).toContain('Ada <ada@gateway.example>, Gateway')
  const ref = list?.prospect_list_ref ?? ''
  expect((await run('show', ref)).text).toMatch(/\n\nTwo\nlines$/)

  const file = await fileOf(fullResult)
  await expect(run('deliver', ref, '--result', file)).rejects.toThrow('belongs to no account yet')
  expect((await run('assign', ref, customer.accountRef)).text).toBe(
    `${ref} belongs to ${customer.accountRef}`,
  )
  const other = await service.customer()
  await expect(run('assign', ref, other.accountRef)).rejects.toThrow(
    `already belongs to ${customer.accountRef}`,
  )
  await run('deliver', ref, '--result', file)
  expect(await statusOf(ref)).toBe('ready')
  expect((await run('list', '--unassigned')).text).toBe('(none)')

  expect((await run('cancel', ref)).json).toMatchObject({ requested_by: null })
})

test('prospect-list list filters by status and account, with lists that await staff first', async () => {
  const other = await service.customer()
  const created = await run('create', other.accountRef, '--cadence', 'continuous')
  const { prospect_list_ref: waiting } = created.json as { prospect_list_ref: string }
  const second = (await run('create', other.accountRef, '--cadence', 'weekly')).json as {
    prospect_list_ref: string
  }
  await run('deliver', second.prospect_list_ref, '--result', await fileOf(listResult(target('t1'))))
  const refs = async (...args: string[]) =>
    ((await run('list', '--account', other.accountRef, ...args)).json as { prospect_list_ref: string }[]).map(
      list => list.prospect_list_ref,
    )
  expect(await refs()).toEqual([waiting, second.prospect_list_ref])
  expect(await refs('--status', 'ready')).toEqual([second.prospect_list_ref])
  expect(await refs('--status', 'cancelled')).toEqual([])
})

test.each([
  [['create', 'acc_nobody', '--cadence', 'weekly'], 'There is no account acc_nobody.'],
  [['create', 'acc_nobody', '--cadence', 'daily'], '--cadence must be one of one_time, weekly, continuous.'],
  [['list', '--status', 'done'], '--status must be one of requested, preparing, ready, cancelled.'],
  [['list', '--account', 'acc_nobody'], 'There is no account acc_nobody.'],
  [['assign', 'pl_1', 'acc_nobody'], 'There is no account acc_nobody.'],
  [['show', 'pl_nowhere'], 'Prospect list pl_nowhere does not exist.'],
])('the prospect-list command %j is refused: %s', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message)
})

test('untrusted text cannot reverse the text direction of printed output', async () => {
  const request = 'one\u202e owt\u001b[2J\nthree\u2066'
  const form = { name: '\u202eadA', email: 'ada@direction.example', company: '\u200fGateway', request }
  await requestProspectList(service.service.live, form, new Date())
  const { json, text } = await run('list', '--status', 'requested')
  const asked = (json as { prospect_list_ref: string; requested_by: { email: string } | null }[]).find(
    each => each.requested_by?.email === form.email,
  )
  expect(text).toContain('adA <ada@direction.example>, Gateway')
  const shown = await run('show', asked?.prospect_list_ref ?? '')
  expect(shown.text).toMatch(/\n\none owt \[2J\nthree$/)
  expect(text + shown.text).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
})

test('prospect-list deliver refuses a result without targets, or a contact without a channel', async () => {
  const ref = await create()
  const silent = (name: string) => contact(name, { contact_channels: [] })
  const refusals: [result: unknown, problems: string][] = [
    [listResult(), 'target_accounts: must have at least 1 item'],
    [
      listResult(
        target('t1', { key_contacts: [contact('ada'), silent('bo')] }),
        target('t2', { key_contacts: [silent('cy')] }),
      ),
      'target_accounts[0].key_contacts[1].contact_channels: must have at least 1 item; ' +
        'target_accounts[1].key_contacts[0].contact_channels: must have at least 1 item',
    ],
  ]
  for (const [result, problems] of refusals)
    await expect(run('deliver', ref, '--result', await fileOf(result))).rejects.toThrow(
      `The result does not fit the schema: ${problems}`,
    )
  expect(await statusOf(ref)).toBe('requested')
  await run(
    'deliver',
    ref,
    '--result',
    await fileOf(listResult(target('t1', { key_contacts: [contact('ada')] }))),
  )
  expect(await statusOf(ref)).toBe('ready')
})
