import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import type { Customer } from '../../test/harness/service.ts'
import { type PeopleService, person, startPeopleService } from '../features/people/fixture.ts'

let service: PeopleService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startPeopleService()
  customer = await service.customer()
  directory = await createTestDirectory()
  await service.load(
    { kind: 'company', key: 'acme', company_name: 'Acme' },
    person('acme', 'Ann Lee', { title: 'CEO', email: 'ann.lee@acme.example' }),
    person('acme', 'Bo Fox', { title: 'CTO', email: 'bo.fox@acme.example' }),
  )
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['people', 'suppress', ...args], {
    DATA_DIR: directory.path,
    DATABASE_URL: service.database.url,
  })

const names = async () =>
  (await service.people(customer, 'acme')).body.data.contacts.map((contact: { name: string }) => contact.name)

test('a person who was suppressed by address is missing from all answers of the service', async () => {
  expect(await names()).toHaveLength(2)
  const { code, stdout, stderr } = await run('--email', 'Ann.Lee@acme.example', '--why', 'letter 7', '--json')
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual({
    handles: { email: 1, profile: 0, name: 1 },
    new_handles: 2,
    contacts: 1,
    stored_answers: 0,
    listed_contacts: 0,
    licensees: 0,
  })
  expect(await names()).toEqual(['Bo Fox'])
})

test('a suppression by name prints counts and no names', async () => {
  const company = await service.refOf('acme')
  const { code, stdout } = await run('--name', 'FOX, Bo', '--company', company, '--why', 'letter 8')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^suppressed: 1 e-mail address, 0 profiles, 1 name at a Company .*\nremoved: 1 contact, .*\n$/,
  )
  expect(stdout).not.toMatch(/\bfox\b/i)
  expect(await names()).toEqual([])
})

test('a suppression without a match prints that nobody matched, and applies to later imports', async () => {
  const { code, stdout, stderr } = await run('--email', 'cy@acme.example', '--why', 'letter 9')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^suppressed: 1 e-mail address, .*\nNo stored person matches\. Later imports/)
  const report = await service.load(person('acme', 'Cy Orr', { title: 'COO', email: 'cy@acme.example' }))
  expect(report.loaded.contact).toMatchObject({ added: 0, suppressed: 1 })
})

test.each([
  [['--why', 'w'], 1, 'Give an e-mail address'],
  [['--name', 'Ann', '--why', 'w'], 1, '--name and --company must be given together'],
  [['--email', 'ann', '--why', 'w'], 1, 'must be an e-mail address'],
  [['--name', 'Ann', '--company', 'co_x', '--why', 'w'], 1, 'Company co_x does not exist'],
  [['--email', 'ann@acme.example'], 2, '--why'],
])('suppressing %j is refused in one line', async (args, expected, message) => {
  const { code, stderr } = await run(...args)
  expect(code).toBe(expected)
  expect(stderr).toContain(message)
})
