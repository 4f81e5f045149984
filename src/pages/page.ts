import type { Session } from '../core/session-operation.ts'
import type { AnyDataTable } from './components/table.ts'
import type { TableAddress } from './components/table-address.ts'
import type { Content, Html } from './html.ts'

/** The values that every page of the dashboard may show beside its operation's answer. */
export type View = {
  session: Session
  now: Date
  baseUrl: string
  /** The choices of the address among the rows of tables. */
  address: TableAddress
  /** The operation's input, with defaults. */
  input: Record<string, unknown>
  /** Returns whether the session may send an operation, for links and buttons. */
  may(operation: string): boolean
  /** The reason why a form was refused, when it is shown again. */
  problem: Problem | null
  /** The sender of mails; null when the service sends none. */
  mailFrom: string | null
  /** What a command of the operator needs to find this service. */
  commandVariables: readonly string[]
}

export type Problem = {
  message: string
  /** A sent value that the message quotes. */
  value?: string
  /** Whether the form waited for a confirmation and was not refused. */
  isDraft?: true
  /** The invalid field, or null. */
  field: string | null
  /** The path to which the form was sent. */
  action?: string
  /** The fields as they were sent. */
  sent: Readonly<Record<string, string>>
  /** The fields that were sent as lists, such as check boxes. */
  sentLists?: Readonly<Record<string, readonly string[]>>
  /** What the refused request could cost, if that was more than the button's price. */
  offeredCredits?: number
  /** The labels of the form's fields by name. Fields add their labels when they are drawn. */
  labels?: Map<string, string>
}

/** Makes a table of a page from its data. `draw` draws it, and files read it. */
export type TableOf<Data> = {
  id: string
  of(data: Data, view: Pick<View, 'address'>): AnyDataTable
  draw(data: Data, view: Pick<View, 'address'>): Html
}

/** Renders a session operation's answer for people. */
export type Page<Data> = {
  title: string | ((data: Data, view: View) => string)
  /** One or two sentences below the title. */
  lead?: Content | ((data: Data, view: View) => Content)
  /** The path of its entry in the navigation; by default the page's own path. */
  within?: string
  /** The tables with an address, the most important one first. */
  tables?: readonly TableOf<Data>[]
  body(data: Data, view: View): Content
  /** Fragments that replace the whole page if htmx requests one by the id of its element. */
  fragments?: Readonly<Record<string, (data: Data, view: View) => Html>>
}

/** A POST without a page. The browser is redirected to another page (303). */
type Redirect<Data> = {
  next(data: Data, view: View): string
}

// biome-ignore lint/suspicious/noExplicitAny: the registry pairs an operation with its page.
type Unseen = any

export type Shown = (Page<Unseen> | Redirect<Unseen>) & {
  /** The GET whose page has the form. It is shown again, with the problem, if this POST is refused. */
  form?: string
}
