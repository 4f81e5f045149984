import build from 'fast-json-stringify'
import { type AnyOperation, type Delivery, successOf, type TObject } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { type AnswerBody, joinBody } from './answer.ts'

type SuccessExtras = {
  timestamp: string
  /** null for free operations, whose responses do not have it. */
  creditsCharged: number | null
  demo: boolean
}

export type RenderSuccess = (delivery: Delivery<Record<string, unknown>>, extras: SuccessExtras) => AnswerBody

/** Compiles an operation's success envelope (§2.1). Only members of the declared schema are sent. */
export function successRenderer(operation: AnyOperation<World>): RenderSuccess {
  const written = operation.written ?? []
  const message = JSON.stringify(successOf(operation).message)
  const writeData = build(withoutMembers(operation.data, written) as unknown as build.AnySchema)
  const head = `{"success":true,"message":${message},"data":{`
  return (delivery, { timestamp, creditsCharged, demo }) => {
    const pieces = [head]
    for (const name of written) {
      addMember(pieces, `"${name}":`)
      const text = delivery.written?.[name] ?? 'null'
      if (typeof text === 'string') pieces.push(text)
      else for (const piece of text) pieces.push(piece)
    }
    const rest = writeData(delivery.data).slice(1, -1)
    if (rest !== '') addMember(pieces, rest)
    if (creditsCharged !== null) addMember(pieces, `"credits_charged":${creditsCharged}`)
    if (demo) {
      const paths = JSON.stringify(delivery.redacted ?? [])
      addMember(pieces, `"demo":true,"simulated":true,"_demo_redactions":{"paths":${paths}}`)
    }
    pieces.push(`},"timestamp":"${timestamp}"}`)
    return joinBody(pieces)
  }
}

const dataStart = '"data":{'
const chargeStart = '"credits_charged":'
const chargeMember = /^"credits_charged":\d+,?(?=$|"demo":true)/
/** Longer than the charge and the member after it. */
const chargeBytesMax = 64

/**
 * The members of `data` in a body that `successRenderer` wrote, without the charge. Bytes, because parsing a
 * thousand rows and writing them again takes longer than reading them.
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
