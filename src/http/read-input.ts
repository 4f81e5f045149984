import type { TObject } from '../core/operation.ts'
import { bodyReader } from './read-body.ts'
import { canonicalIntegerText, type Input, parameterReader, type RawQuery } from './read-parameters.ts'

/** What a transport was sent, nothing of it checked. */
export type RawInput = { query: RawQuery; params?: Record<string, string> | undefined; body?: unknown }

type Declared = { query: TObject; params?: TObject | undefined; body?: TObject | undefined }

/** Compiles how the input of an operation is read: query, path and body as one value. */
export function inputReader({ query, params, body }: Declared): (raw: RawInput) => Input {
  const readQuery = parameterReader(query)
  const readParams = params === undefined ? null : parameterReader(params, canonicalIntegerText)
  const readBody = body === undefined ? null : bodyReader(body)
  return raw => ({
    ...readQuery(raw.query),
    ...readParams?.(raw.params ?? {}),
    // `null` is a body, and no object.
    ...readBody?.(raw.body === undefined ? {} : raw.body),
  })
}
