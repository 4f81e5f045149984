import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 500 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const environment = () => ({
  DATA_DIR: directory.path,
  DATABASE_URL: service.database.url,
  BASE_URL: 'https://baize.example',
})

async function user(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommandHere(['user', ...args], environment())
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

const json = async (...args: string[]) => JSON.parse(await user(...args, '--json'))

async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommandHere(['user', ...args], environment())
  expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
  return stderr.trimEnd()
}

/** Signs in with a link that the command printed. Returns the requests of that browser. */
async function signInBy(email: string) {
  const [url = ''] = (await user('link', email)).split('\n')
  expect(url).toMatch(/^https:\/\/baize\.example\/sign-in\/[0-9A-Za-z]{43}$/)
  const signedIn = await service.ask(new URL(url).pathname, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (path: string) => (await service.ask(path, { headers: { cookie } })).status
}

async function events() {
  const rows = await service.service.live.database
    .selectFrom('audit_events')
    .select(['action', 'subject', 'email', 'account_id', 'details'])
    .orderBy('id')
    .execute()
  return rows.map(({ action, subject, email, account_id, details }) => ({
    action,
    subject: subject?.slice(0, 4) ?? null,
    by: email,
    isOfAccount: account_id !== null,
    details,
  }))
}

describe('baize user', () => {
  test('baize user adds, lists and removes users of an account, each with an audit event', async () => {
    const before = (await events()).length
    const email = 'Otter@Customer.example'
    expect(await json('add', customer.accountRef, email, '--role', 'billing')).toEqual({
      user_ref: expect.stringMatching(/^usr_/),
      email: 'otter@customer.example',
      account_ref: customer.accountRef,
      role: 'billing',
    })
    await user('add', customer.accountRef, email, '--role', 'owner')
    const listed = [expect.objectContaining({ email: 'otter@customer.example', role: 'owner' })]
    expect(await json('list', customer.accountRef)).toEqual(listed)
    await user('remove', customer.accountRef, email)
    expect(await user('list', customer.accountRef)).toBe('(none)\n')
    const address = { email: 'otter@customer.example' }
    const common = { subject: 'usr_', by: null, isOfAccount: true }
    expect((await events()).slice(before)).toEqual([
      { ...common, action: 'member.added', details: { ...address, role: 'billing' } },
      {
        ...common,
        action: 'member.role_changed',
        details: { ...address, before: 'billing', after: 'owner' },
      },
      { ...common, action: 'member.removed', details: { ...address, role: 'owner' } },
    ])
  })

  test('a user who is removed from an account no longer sees it in an open session', async () => {
    await user('add', customer.accountRef, 'member@customer.example', '--role', 'member')
    const statusOf = await signInBy('member@customer.example')
    expect([await statusOf('/dashboard'), await statusOf('/dashboard/domains')]).toEqual([200, 200])
    await user('add', customer.accountRef, 'member@customer.example', '--role', 'billing')
    expect([await statusOf('/dashboard'), await statusOf('/dashboard/domains')]).toEqual([200, 404])
    await user('remove', customer.accountRef, 'member@customer.example')
    expect(await statusOf('/dashboard')).toBe(404)
  })

  test('baize user grants and removes the rights of staff, without a role in an account', async () => {
    const before = (await events()).length
    await user('add', '--staff', 'one@baize.example')
    await user('add', customer.accountRef, 'two@baize.example', '--role', 'staff')
    const staff = (await json('list', '--staff')).map((each: { email: string }) => each.email)
    expect(staff).toEqual(['one@baize.example', 'two@baize.example'])
    const ofAccount = (await json('list', customer.accountRef)).map((each: { email: string }) => each.email)
    expect(ofAccount).not.toContain('two@baize.example')
    await user('remove', '--staff', 'one@baize.example')
    expect(await user('list', '--staff')).not.toContain('one@')
    expect((await events()).slice(before)).toEqual(
      [
        ['staff.granted', 'one'],
        ['staff.granted', 'two'],
        ['staff.removed', 'one'],
      ].map(([action, name]) => ({
        action,
        subject: 'usr_',
        by: null,
        isOfAccount: false,
        details: { email: `${name}@baize.example` },
      })),
    )
  })

  test('`baize user link` prints a working link, and its audit event does not contain the link', async () => {
    await user('add', customer.accountRef, 'linked@customer.example', '--role', 'owner')
    const statusOf = await signInBy('linked@customer.example')
    expect(await statusOf('/dashboard')).toBe(200)
    const { url } = await json('link', 'linked@customer.example')
    const event = (await events()).at(-1)
    expect(event).toMatchObject({ action: 'sign_in_link.created', by: null })
    expect(JSON.stringify(event)).not.toContain(url.split('/').at(-1))
  })

  test('`baize user link --next` leads to a page of the dashboard, and refuses other paths', async () => {
    await user('add', customer.accountRef, 'linked@customer.example', '--role', 'owner')
    const { url } = await json('link', 'linked@customer.example', '--next', '/dashboard/usage?status=200')
    const { pathname, search, searchParams } = new URL(url)
    expect(searchParams.get('next')).toBe('/dashboard/usage?status=200')
    const headers = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await service.ask(pathname + search, { method: 'POST', headers })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/dashboard/usage?status=200'])
    for (const next of ['/docs', '//evil.example/dashboard', 'dashboard', ''])
      expect(await refusal('link', 'linked@customer.example', '--next', next)).toContain(
        '--next must be a path of the dashboard',
      )
  })

  test('baize user refuses wrong arguments in one line, and changes nothing', async () => {
    const before = (await events()).length
    const account = customer.accountRef
    const mail = 'x@customer.example'
    expect(await refusal('add', account)).toBe('Name an account and a user.')
    expect(await refusal('add', account, mail)).toContain('Set --role')
    expect(await refusal('add', account, mail, '--role', 'king')).toContain('--role must be one of owner')
    expect(await refusal('add', account, 'otter', '--role', 'owner')).toBe(
      '"otter" must be an e-mail address.',
    )
    expect(await refusal('add', 'acc_none', mail, '--role', 'owner')).toBe('There is no account acc_none.')
    expect(await refusal('add', 'acc_none', mail, '--role', 'staff')).toBe('There is no account acc_none.')
    expect(await refusal('add', account, mail, '--staff')).toContain('With --staff name only the user')
    expect(await refusal('list')).toBe('Name an account, or set --staff.')
    expect(await refusal('list', account, '--staff')).toBe('Name an account, or set --staff.')
    expect(await refusal('remove', account, mail)).toBe(`${account} has no user ${mail}.`)
    expect(await refusal('remove', '--staff', mail)).toBe(`${mail} is not staff.`)
    expect(await refusal('link', mail)).toBe(`There is no user ${mail}.`)
    expect((await events()).length).toBe(before)
  })
})
