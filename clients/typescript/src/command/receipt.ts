import { readFile } from 'node:fs/promises'
import { BaizeError, type KeySet, verifyReceipt } from '../index.ts'
import { type Command, UsageError } from './command.ts'
import { write } from './output.ts'

export const receipt: Command = {
  summary: 'Verify a receipt without a network',
  usage: 'FILE --jwks FILE [--answer FILE]\n\nFILE has a receipt, or an answer with one.',
  options: { jwks: { type: 'string' }, answer: { type: 'string' } },
  async run([file, ...more], { jwks, answer }) {
    if (file === undefined || more.length > 0) throw new UsageError('Name one file with a receipt.')
    if (typeof jwks !== 'string') throw new UsageError('Name the saved key set: --jwks jwks.json')
    const text = (await readFile(file, 'utf8')).trim()
    const inside = text.startsWith('{') ? jsonOf(file, text) : undefined
    const { data = inside } = (inside ?? {}) as { data?: unknown }
    const jws = inside === undefined ? text : String((data as { receipt?: unknown }).receipt)
    const shown = typeof answer === 'string' ? jsonOf(answer, await readFile(answer, 'utf8')) : inside
    const keys = jsonOf(jwks, await readFile(jwks, 'utf8')) as KeySet
    if (!Array.isArray(keys.keys)) throw new BaizeError(`${jwks} is not a key set.`)
    await write(`${JSON.stringify(await verifyReceipt(jws, keys, shown), null, 2)}\n`)
    return 0
  },
}

function jsonOf(file: string, text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new BaizeError(`${file} is not JSON.`)
  }
}
