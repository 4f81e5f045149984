import { randomUUID } from 'node:crypto'
import type { Role } from '../../src/core/session-operation.ts'
import { requireAccount } from '../../src/features/account/index.ts'
import { ensureUser, setMembership, setStaff } from '../../src/features/members/index.ts'
import { insertSession } from '../../src/features/sessions/index.ts'
import type { Response, TestService } from './service.ts'

export type Person = {
  email: string
  cookie: string
  /** Requests a page as a browser does. */
  get(path: string): Promise<Response>
  /** Requests the envelope as a program with the session's cookie does. */
  read(path: string): Promise<Response>
  /** Posts fields as a page's form does. */
  post(path: string, fields?: Fields, headers?: Record<string, string>): Promise<Response>
}

type Fields = Record<string, string> | URLSearchParams

/** Signs in a person with a role in an account, or as staff. */
export async function signIn(
  { service, ask }: TestService,
  {
    accountRef,
    role = 'owner',
    isStaff = false,
    email = `${randomUUID()}@baize.test`,
  }: {
    accountRef?: string
    role?: Role
    isStaff?: boolean
    email?: string
  },
): Promise<Person> {
  const { database } = service.live
  const now = service.now()
  const user = await ensureUser(database, { email, now })
  if (isStaff) await setStaff(database, user.id, true)
  if (accountRef !== undefined) {
    const { id: accountId } = await requireAccount(service.live, accountRef)
    await setMembership(database, { userId: user.id, accountId, role, now })
  }
  const cookie = `baize_session=${await insertSession(database, { userId: user.id, now })}`
  const page = { accept: 'text/html', cookie }
  return {
    email,
    cookie,
    get: path => ask(path, { headers: page }),
    read: path => ask(path, { headers: { accept: 'application/json', cookie } }),
    post: (path, fields = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: {
          ...page,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),
  }
}
