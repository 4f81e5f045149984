import type { Readable } from 'node:stream'
import type { Static, TObject } from 'typebox'
import type { FailureCode } from './failure.ts'
import type { FileStore } from './file-store.ts'
import type { Caller, FileAnswer } from './operation.ts'

export const roles = ['owner', 'member', 'billing'] as const
export type Role = (typeof roles)[number]

/** Who may send a session operation: roles in the account that the session shows, or staff. */
export type Access = readonly Role[] | 'staff' | 'signed-in'

export type Membership = { accountId: number; accountRef: string; name: string; role: Role }

/** Somebody who is signed in, as of this request. */
export type Session = {
  userId: number
  userRef: string
  email: string
  name: string | null
  isStaff: boolean
  /** The session's id, hashed. */
  sha256: Buffer
  /** The last sign-in or passkey. */
  provedAt: Date
  /** The account that the pages show; null: the user belongs to none. */
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
  /** Paid operations need one, so that a reload charges nothing. */
  idempotencyKey?: string
  /** What a page shows: it is free, and opening or refreshing the page is no usage. */
  isView?: true
}
/** The response, as a client with a key would get it. */
export type Received = {
  status: number
  headers: Record<string, string>
  body: unknown
  /** Instead of a body, from operations that send a file. */
  file?: FileAnswer
}

/** A response whose body is JSON as text. */
export type ReceivedText = Omit<Received, 'body'> & { text: string | Buffer }

/** The answer of a session operation that sends a file instead of a page. */
export class Attachment {
  readonly file: FileAnswer | StreamedFile

  constructor(file: FileAnswer | StreamedFile) {
    this.file = file
  }
}

/** A file that is written while it is sent. It must stop when its reader has left. */
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
 * An operation of the dashboard. A session's cookie is its only credential, so that a leaked API key cannot
 * make keys; no public document has it. It is free, and answers HTML to browsers, otherwise the envelope.
 */
export type SessionOperation<
  World,
  Query extends TObject = TObject,
  Data extends TObject = TObject,
  Params extends TObject = Nothing,
  Form extends TObject = Nothing,
> = {
  name: string
  method: 'GET' | 'POST'
  path: `/dashboard${string}`
  access: Access
  /** It needs a sign-in or passkey of the last 15 minutes. */
  stepUp?: true
  summary: string
  query: Query
  params?: Params
  /** Fields of the form that a POST sends. Unknown ones are refused. */
  form?: Form
  data: Data
  failures: readonly FailureCode[]
  answer(
    context: SessionContext<World>,
    input: Static<Query> & Static<Params> & Static<Form>,
  ): Promise<Static<Data> | Attachment>
}

// biome-ignore lint/suspicious/noExplicitAny: src/http validates by schema and never reads members.
type Unseen = any

/** A session operation without its type parameters, as the catalogue lists it. */
export type AnySessionOperation<World> = Omit<SessionOperation<World>, 'answer' | 'params' | 'form'> & {
  params?: TObject
  form?: TObject
  answer(context: SessionContext<World>, input: Unseen): Promise<Unseen>
}

export function mayAccess(access: Access, { isStaff, account }: Session): boolean {
  if (access === 'signed-in') return true
  if (access === 'staff') return isStaff
  return account !== null && access.includes(account.role)
}

export type { TObject }
