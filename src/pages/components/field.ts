import { type Content, type Html, html } from '../html.ts'
import type { Problem, View } from '../page.ts'

type Choices = readonly (readonly [value: string, text: string])[]

export type FieldOptions = {
  name: string
  label: string
  type?: 'text' | 'email' | 'number' | 'date' | 'url'
  value?: string | number | null | undefined
  /** Choices of a select; the value is the first of each pair. */
  choices?: Choices
  hint?: string
  required?: boolean
  placeholder?: string
  /** What the browser may fill in, as in HTML. */
  autocomplete?: string
  /** The id of a `suggestions` list. */
  suggestions?: string
  /** Of a text: more than one line. */
  rows?: number
}

/** Of a page with several forms: the one that was refused has the problem. */
export type FormView = Pick<View, 'problem'> & { scope?: string }

export function viewOfForm({ url, problem }: View, action: string): FormView {
  const wasSent = url.split('?', 1)[0] === action
  return { problem: wasSent ? problem : null, scope: action.slice(1).replaceAll(/\W+/g, '-') }
}

const fieldId = ({ scope = 'field' }: FormView, name: string) => `${scope}-${name}`

const apiName = /"([a-z_]+)(?:\[\])?"|\b[a-z]+(?:_[a-z]+)+\b/g

/** Fields by their labels, which people see, instead of their names. */
export function problemText({ message, labels }: Problem): string {
  return message.replaceAll(apiName, (name, quoted?: string) => {
    const label = labels?.get(quoted ?? name)
    return label === undefined ? name : `“${label}”`
  })
}

/** A labelled field, with what was sent and why it was refused if the form is shown again. */
export function field(view: FormView, options: FieldOptions): Html {
  const { name, label, hint, choices, rows } = options
  view.problem?.labels?.set(name, label)
  const wrong = view.problem?.field === name ? view.problem : null
  const value = view.problem?.sent[name] ?? options.value ?? ''
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

/** Several reasons stand below each other. */
const reasonsOf = (problem: Problem) => problemText(problem).replaceAll('; ', '\n')

/** A value that is not among the choices stays visible, such as that of an old link. */
function optionsOf(choices: Choices, value: string): Html[] {
  const isKnown = value === '' || choices.some(([each]) => each === value)
  const shown: Choices = isKnown ? choices : [...choices, [value, value]]
  return shown.map(each => option(each, value))
}

function option([choice, text]: readonly [string, string], value: string): Html {
  return html`<option value="${choice}"${value === choice && html` selected`}>${text}</option>`
}

/** What a field of text may be, by value and name; any other text can be typed. */
export function suggestions(id: string, of: readonly (readonly [value: string, text: string])[]): Html {
  return html`<datalist id="${id}">${of.map(each => option(each, ''))}</datalist>`
}

export const hidden = (name: string, value: string | number) =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** A form that works without a script. */
export function form(
  {
    action,
    method = 'post',
    submit,
    tone,
    name,
    confirm,
    isRow = method === 'get',
  }: {
    action: string
    method?: 'get' | 'post'
    submit: string
    tone?: 'danger' | 'plain'
    /** For people who do not see the page. */
    name?: string
    /** A question that the script asks before it sends the form. */
    confirm?: string
    /** Its fields stand beside each other, as those of filters do. */
    isRow?: boolean
  },
  ...fields: Content[]
): Html {
  const kind = isRow ? 'filters' : 'fields'
  const label = name && html` aria-label="${name}"`
  const attributes = html`${label}${confirm && html` data-confirm="${confirm}"`}`
  return html`<form class="${kind}" method="${method}" action="${action}"${attributes}>
${fields}<button${tone && html` class="${tone}"`}>${submit}</button></form>`
}
