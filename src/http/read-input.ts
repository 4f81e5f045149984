import type { AnyOperation, TObject } from '../core/operation.ts'
import { storableText } from '../core/storable-text.ts'
import { bodyReader } from './read-body.ts'
import { canonicalIntegerText, type Input, parameterReader, type RawQuery } from './read-parameters.ts'

export type RawInput = { query: RawQuery; params?: Record<string, string> | undefined; body?: unknown }

type Exclusive = NonNullable<AnyOperation<unknown>['exclusive']>
type Declared = {
  query: TObject
  exclusive?: Exclusive | undefined
  params?: TObject | undefined
  body?: TObject | undefined
}

/** Compiles the reader of an operation's input: query, path and body as one value. */
export function inputReader({ query, exclusive, params, body }: Declared): (raw: RawInput) => Input {
  const readQuery = queryReader(query, exclusive)
  const readParams = params === undefined ? null : parameterReader(params, canonicalIntegerText)
  const readBody = body === undefined ? null : bodyReader(body)
  return raw => ({
    ...readQuery(raw.query),
    ...readParams?.(raw.params ?? {}),
    ...readBody?.(raw.body),
  })
}

/** If the exclusive parameter is sent, the unread ones are passed on without validation. */
function queryReader(query: TObject, exclusive: Exclusive | undefined): (raw: RawQuery) => Input {
  const readAll = parameterReader(query)
  if (exclusive === undefined) return readAll
  const { parameter, unread } = exclusive
  return raw => {
    if (raw[parameter] === undefined) return readAll(raw)
    const sent = Object.entries(raw)
    const isUnread = ([name]: [string, unknown]) => unread.includes(name)
    return {
      ...readAll(Object.fromEntries(sent.filter(each => !isUnread(each)))),
      ...Object.fromEntries(sent.filter(isUnread).map(([name, text]) => [name, asSent(text)])),
    }
  }
}

const asSent = (text: string | string[] | undefined) => storableText([text ?? ''].flat().join(','))
