import build from 'fast-json-stringify'
import { once } from '../../core/once.ts'
import { type AnyOperation, type Delivery, successOf, type TObject } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type AnswerBody, joinBody } from './answer.ts'

type SuccessExtras = {
  timestamp: string
  /** Null for free operations, whose responses have no charge. */
  creditsCharged: number | null
  demo: boolean
  /** Returns the receipt of `data`; absent if the request asked for none. */
  sign?: ((data: string) => string) | undefined
}

export type RenderSuccess = (delivery: Delivery<Record<string, unknown>>, extras: SuccessExtras) => AnswerBody

/**
 * Renders an operation's success envelope (§2.1), compiled at the first answer. Only members of the
 * declared schema are sent.
 */
export function successRenderer(operation: AnyOperation<World>): RenderSuccess {
  const written = operation.written ?? []
  const writer = once(() => build(withoutMembers(operation.data, written) as unknown as build.AnySchema))
  const { message } = successOf(operation)
  return (delivery, { timestamp, creditsCharged, demo, sign }) => {
    const pieces = [`{"success":true,"message":${JSON.stringify(delivery.message ?? message)},"data":{`]
    for (const name of written) {
      addMember(pieces, `"${name}":`)
      const text = delivery.written?.[name] ?? 'null'
      if (typeof text === 'string') pieces.push(text)
      else for (const piece of text) pieces.push(piece)
    }
    const rest = writer()(delivery.data).slice(1, -1)
    if (rest !== '') addMember(pieces, rest)
    if (creditsCharged !== null) addMember(pieces, `"credits_charged":${creditsCharged}`)
    if (demo) {
      const paths = JSON.stringify(delivery.redacted ?? [])
      addMember(pieces, `"demo":true,"simulated":true,"_demo_redactions":{"paths":${paths}}`)
    }
    if (sign !== undefined) addMember(pieces, `"receipt":"${sign(`{${pieces.slice(1).join('')}}`)}"`)
    pieces.push(`},"timestamp":"${timestamp}"}`)
    return joinBody(pieces)
  }
}

/** The envelope of responses that are not of the API's operations. */
export const okEnvelope = (data: object, now: Date) => ({
  success: true,
  message: 'OK',
  data,
  timestamp: now.toISOString(),
})

const dataStart = '"data":{'
const chargeStart = '"credits_charged":'
const chargeMember = /^"credits_charged":\d+,?(?=$|"demo":true|"receipt":")/
/** Exceeds the length of the charge and the member after it. */
const chargeBytesMax = 64

/**
 * Returns the members of `data` in a body of `successRenderer`, without the charge. It works on bytes,
 * because parsing and writing a thousand rows takes longer than reading them.
 */
export function dataMembers(body: AnswerBody): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const start = bytes.indexOf(dataStart) + dataStart.length
  const members = bytes.subarray(start, bytes.lastIndexOf('},"timestamp":"'))
  const chargeAt = members.lastIndexOf(chargeStart)
  if (chargeAt < 0) return members
  const charge = chargeMember.exec(members.toString('latin1', chargeAt, chargeAt + chargeBytesMax))
  if (charge === null) return members
  const after = members.subarray(chargeAt + charge[0].length)
  if (after.length > 0) return Buffer.concat([members.subarray(0, chargeAt), after])
  return members.subarray(0, Math.max(0, chargeAt - 1))
}

function addMember(pieces: string[], member: string): void {
  if (pieces.length > 1) pieces.push(',')
  pieces.push(member)
}

function withoutMembers(schema: TObject, names: readonly string[]): unknown {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
  )
  const required = ((schema.required as string[] | undefined) ?? []).filter(name => !names.includes(name))
  return { ...schema, properties, required }
}
