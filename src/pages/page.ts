import type { Session } from '../core/session-operation.ts'
import type { Content, Html } from './html.ts'

/** What every page of the dashboard may show beside its operation's answer. */
export type View = {
  session: Session
  now: Date
  baseUrl: string
  /** Path and query as they were sent. */
  url: string
  /** The operation's input, with defaults. */
  input: Record<string, unknown>
  /** Whether the session may send an operation, for links and buttons. */
  may(operation: string): boolean
  /** Why the form that is shown again was refused. */
  problem: Problem | null
}

export type Problem = {
  message: string
  /** The field that is wrong, if one is. */
  field: string | null
  /** The fields as they were sent. */
  sent: Readonly<Record<string, string>>
  /** Of the form's fields by their names: fields add theirs as they are drawn. */
  labels?: Map<string, string>
}

/** How a session operation's answer is shown to people. */
export type Page<Data> = {
  title: string | ((data: Data, view: View) => string)
  /** One or two sentences below the title. */
  lead?: Content | ((data: Data, view: View) => Content)
  /** Its entry of the navigation, as a path; absent: its own path. */
  within?: string
  body(data: Data, view: View): Content
  /** Fragments instead of a whole page, if htmx asks for one by the id of its element. */
  fragments?: Readonly<Record<string, (data: Data, view: View) => Html>>
}

/** A POST that has no page of its own: the browser goes on to another page (303). */
type Redirect<Data> = {
  next(data: Data, view: View): string
}

// biome-ignore lint/suspicious/noExplicitAny: the registry pairs an operation with its page.
type Unseen = any

export type Shown = (Page<Unseen> | Redirect<Unseen>) & {
  /** The GET whose page has the form: it is shown again, with the problem, if this POST is refused. */
  form?: string
}
