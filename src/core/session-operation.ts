import type { Readable } from 'node:stream'
import type { FileStore } from '@baize/files'
import type { FileAnswer } from '@baize/http-content'
import type { Static, TObject } from 'typebox'
import type { FailureCode } from './failure.ts'
import type { Caller } from './operation.ts'

export const memberRoles = ['owner', 'member', 'billing'] as const
export type Role = (typeof memberRoles)[number]

/** The roles that may send a session operation in the session's account, or staff. */
export type Access = readonly Role[] | 'staff' | 'signed-in'

export type Membership = { accountId: number; accountRef: string; name: string; role: Role }

/** A signed-in user with the accounts and roles at the time of this request. */
export type Session = {
  userId: number
  userRef: string
  email: string
  name: string | null
  isStaff: boolean
  /** The hash of the session's id. */
  sha256: Buffer
  /** The time of the last sign-in or use of a passkey. */
  provedAt: Date
  /** Whether the session stores a form that waits for a confirmation. */
  hasDraft: boolean
  /** The account that the pages show; null when the user belongs to no account. */
  account: (Caller & Pick<Membership, 'name' | 'role'>) | null
  /** All accounts of the user. */
  memberships: readonly Membership[]
}

/** A request to an operation of the API, sent for the session's account. */
export type Sent = {
  operation: string
  query?: Record<string, string | string[]>
  params?: Record<string, string>
  body?: Record<string, unknown>
  /** Paid operations require a key, so that a reload charges nothing. */
  idempotencyKey?: string
  /**
   * Names the subject of a paid answer, by which the account is shown it again. null: it is not shown again.
   */
  subject?: (data: Record<string, never>) => string | null
  /** Marks a free request whose answer a page shows. It does not count as usage. */
  isView?: true
}
/** The response that a client with an API key would get. */
export type Received = {
  status: number
  headers: Record<string, string>
  body: unknown
  /** The file, when the operation sends one instead of a body. */
  file?: FileAnswer
}

/** A response whose JSON body is text. */
export type ReceivedText = Omit<Received, 'body'> & { text: string | Buffer }

/** The answer of a GET whose page has another address. */
export class Moved {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** The answer of a session operation that sends a file instead of a page. */
export class Attachment {
  readonly file: FileAnswer | StreamedFile

  constructor(file: FileAnswer | StreamedFile) {
    this.file = file
  }
}

/** A file that is written while it is sent. Its source must stop when the client disconnects. */
export type StreamedFile = { fileName: string; contentType: string; stream: Readable }

export type SessionContext<World> = {
  world: World
  session: Session
  now: Date
  baseUrl: string
  files: FileStore
  requestId: string
  send(sent: Sent): Promise<Received>
}

type Nothing = TObject<Record<never, never>>

/**
 * An operation of the dashboard. A session cookie is its only credential, so that a leaked API key cannot
 * create keys. It is free, in no public document, and answers HTML to browsers, otherwise the envelope.
 */
export type SessionOperation<
  World,
  Answer,
  Query extends TObject = Nothing,
  Params extends TObject = Nothing,
  Form extends TObject = Nothing,
> = {
  name: string
  method: 'GET' | 'POST'
  path: `/dashboard${string}`
  access: Access
  /** Requires a sign-in or passkey of the last 15 minutes. */
  stepUp?: true
  summary: string
  /** The query of a GET. Without it, a GET accepts no parameters. */
  query?: Query
  params?: Params
  /** The fields of the form that a POST sends. Unknown fields are refused. */
  form?: Form
  failures: readonly FailureCode[]
  /** The answer is sent unchanged, because every member is meant for the user. */
  answer(
    context: SessionContext<World>,
    input: Static<Query> & Static<Params> & Static<Form>,
  ): Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: src/http validates by schema and never reads members.
type Unseen = any

/** A session operation without its type parameters, as the catalogue lists it. */
export type AnySessionOperation<World> = Omit<
  SessionOperation<World, unknown>,
  'answer' | 'query' | 'params' | 'form'
> & {
  query?: TObject
  params?: TObject
  form?: TObject
  answer(context: SessionContext<World>, input: Unseen): Promise<unknown>
}

export function mayAccess(access: Access, { isStaff, account }: Session): boolean {
  if (access === 'signed-in') return true
  if (access === 'staff') return isStaff
  return account !== null && access.includes(account.role)
}

export type { TObject }
