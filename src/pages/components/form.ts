import { markets } from '@baize/names'
import { assets } from '../assets.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Problem, View } from '../page.ts'

type Choices = readonly (readonly [value: string, text: string])[]

export type FieldOptions = {
  name: string
  label: string
  type?: 'email' | 'number' | 'date' | 'file'
  value?: string | number | null | undefined
  /** The choices of a select. The value is the first of each pair. */
  choices?: Choices
  hint?: string
  required?: boolean
  placeholder?: string
  /** The data that the browser may fill in, as in HTML. */
  autocomplete?: string
  /** The id of a `suggestions` list. */
  suggestions?: string
  /** The number of text lines; one by default. */
  rows?: number
}

/** `scope` names the form that was refused, on a page with several forms. */
export type FormView = Pick<View, 'problem'> & { scope?: string }

/** Limits the problem to the form that was sent to one of the paths. */
export function viewOfForm({ problem }: View, action: string, ...others: string[]): FormView {
  const wasSent = [action, ...others].includes(problem?.action ?? '')
  return { problem: wasSent ? problem : null, scope: action.slice(1).replaceAll(/\W+/g, '-') }
}

/** Returns whether a form below the path was sent, for parts of a page that are closed at first. */
export const wasSentBelow = ({ problem }: Pick<View, 'problem'>, path: string): boolean =>
  problem?.action?.startsWith(path) ?? false

const fieldId = ({ scope = 'field' }: FormView, name: string) => `${scope}-${name}`

const apiName = /"([a-z_]+)(?:\[\])?"|\b[a-z]+(?:_[a-z]+)+\b/g

/** Replaces the names of fields by their labels, which people see. */
export function problemText({ message, value, labels }: Problem): string {
  return message.replaceAll(apiName, (name, quoted?: string) => {
    const label = labels?.get(quoted ?? name)
    const isValue = quoted !== undefined && quoted === value
    return label === undefined || isValue ? name : `“${label}”`
  })
}

/** Draws a labelled field. If the form is shown again, it has the sent text and the reason of the refusal. */
export function field(view: FormView, options: FieldOptions): Html {
  const { name, label, hint, choices, rows } = options
  view.problem?.labels?.set(name, label)
  const wrong = view.problem?.field === name ? view.problem : null
  const value = options.type === 'file' ? '' : (view.problem?.sent[name] ?? options.value ?? '')
  const id = fieldId(view, name)
  const hintId = hint === undefined ? null : `${id}-hint`
  const problemId = wrong && `${id}-problem`
  const describedBy = [problemId, hintId].filter(each => each !== null).join(' ')
  const attributes = html`id="${id}" name="${name}"${options.required && html` required`}
${wrong && html` aria-invalid="true"`}${describedBy && html` aria-describedby="${describedBy}"`}
${options.placeholder && html` placeholder="${options.placeholder}"`}
${options.suggestions && html` list="${options.suggestions}"`}
${options.autocomplete && html` autocomplete="${options.autocomplete}"`}`
  const control =
    choices !== undefined
      ? html`<select ${attributes}>${optionsOf(choices, String(value))}</select>`
      : rows !== undefined
        ? html`<textarea ${attributes} rows="${rows}">${value}</textarea>`
        : html`<input ${attributes} type="${options.type ?? 'text'}" value="${value}">`
  return html`<div class="field"><label for="${id}">${label}</label>
${control}${wrong && html`<p class="problem" id="${problemId}">${reasonsOf(wrong)}</p>`}
${hint && html`<p class="hint" id="${hintId}">${hint}</p>`}</div>`
}

/** Puts each reason on a separate line. */
const reasonsOf = (problem: Problem) => problemText(problem).replaceAll('; ', '\n')

/** Adds a value that is not among the choices, such as that of an old link. */
function optionsOf(choices: Choices, value: string): Html[] {
  const isKnown = value === '' || choices.some(([each]) => each === value)
  const shown: Choices = isKnown ? choices : [...choices, [value, value]]
  return shown.map(each => option(each, value))
}

function option([choice, text]: readonly [string, string], value: string): Html {
  return html`<option value="${choice}"${value === choice && html` selected`}>${text}</option>`
}

/** Lists suggested values of a text field, by value and name. Any other text can be typed. */
export function suggestions(id: string, of: Choices): Html {
  return html`<datalist id="${id}">${of.map(each => option(each, ''))}</datalist>`
}

export const hidden = (name: string, value: string | number) =>
  html`<input type="hidden" name="${name}" value="${value}">`

type FormOptions = {
  action: string
  method?: 'get' | 'post'
  submit: string
  tone?: 'danger' | 'plain'
  /** Names the form for people who do not see the page. */
  name?: string
  /** The question that the script asks before it sends the form. */
  confirm?: string
  /** Whether the fields are side by side, as those of filters are. */
  isRow?: boolean
  /** Whether a field is a file. */
  isUpload?: boolean
}

/** Draws a form that works without a script. */
export function form(options: FormOptions, ...fields: Content[]): Html {
  const { action, method = 'post', submit, tone, name, confirm, isRow = method === 'get' } = options
  const kind = isRow ? 'filters' : 'fields'
  const label = name && html` aria-label="${name}"`
  const encoding = options.isUpload && html` enctype="multipart/form-data"`
  const attributes = html`${label}${encoding}${confirm && html` data-confirm="${confirm}"`}`
  return html`<form class="${kind}" method="${method}" action="${action}"${attributes}>
${fields}<button${tone && html` class="${tone}"`}>${submit}</button></form>`
}

/** Draws checkboxes, of which any number can be chosen. */
export function choices(
  view: FormView,
  { name, label, of, chosen = [] }: { name: string; label: string; of: Choices; chosen?: readonly string[] },
): Html {
  const { problem } = view
  const sent = problem === null ? chosen : (problem.sentLists?.[name] ?? [problem.sent[name]])
  const boxes = of.map(([value, text]) => {
    const attributes = html`name="${name}" value="${value}"${sent.includes(value) && html` checked`}`
    return html`<label><input type="checkbox" ${attributes}> ${text}</label>`
  })
  return html`<fieldset class="choices"><legend>${label}</legend>${boxes}</fieldset>`
}

/** Returns the most that a form's button may cost: its price, or what a refused request could cost. */
export const ceilingOf = ({ problem }: FormView, price: number): number => problem?.offeredCredits ?? price

export const marketField = (
  view: FormView,
  options: Omit<FieldOptions, 'choices'>,
  none: string | null,
): Html =>
  field(view, {
    ...options,
    choices: [
      ...(none === null ? [] : [['', none] as const]),
      ...markets.map(({ code, name }) => [code, name] as const),
    ],
  })

/**
 * Draws a form whose field `response` the script fills in. Without a script it stays hidden. `make` gets
 * that field.
 */
export function passkeyPart(
  kind: 'register' | 'sign-in',
  offer: string,
  make: (response: Content) => Html,
): Html {
  return html`<div data-passkey="${kind}" data-offer="${offer}" hidden>${make(hidden('response', ''))}
<p class="notice bad" role="alert" hidden></p></div>
<script src="${assets.webauthn.path}" defer></script>
<script src="${assets.passkeys.path}" defer></script>`
}
