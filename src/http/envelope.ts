import build from 'fast-json-stringify'
import type { AnyOperation, Delivery, TObject } from '../core/operation.ts'
import type { World } from '../database/open.ts'

export type SuccessExtras = {
  timestamp: string
  /** Stands in every answer of a priced operation; null for free ones. */
  creditsCharged: number | null
  demo: boolean
}

export type RenderSuccess = (delivery: Delivery<Record<string, unknown>>, extras: SuccessExtras) => string

/**
 * Compiles how an operation's success envelope (§2.1) is written: the declared schema decides what is sent, so that a
 * field that is not in it cannot leak.
 */
export function successRenderer(operation: AnyOperation<World>): RenderSuccess {
  const written = operation.written ?? []
  const message = JSON.stringify(operation.success?.message ?? 'OK')
  const writeData = build(withoutMembers(operation.data, written) as unknown as build.AnySchema)
  const head = `{"success":true,"message":${message},"data":{`
  return (delivery, { timestamp, creditsCharged, demo }) => {
    let members = ''
    for (const name of written)
      members = withMember(members, `"${name}":${delivery.written?.[name] ?? 'null'}`)
    const rest = writeData(delivery.data).slice(1, -1)
    if (rest !== '') members = withMember(members, rest)
    if (creditsCharged !== null) members = withMember(members, `"credits_charged":${creditsCharged}`)
    if (demo) {
      const paths = JSON.stringify(delivery.redacted ?? [])
      members = withMember(members, `"demo":true,"simulated":true,"_demo_redactions":{"paths":${paths}}`)
    }
    return `${head}${members}},"timestamp":"${timestamp}"}`
  }
}

/** Texts that are only put behind each other are not copied; joined as an array, those of a large page would be. */
const withMember = (members: string, member: string) => (members === '' ? member : `${members},${member}`)

function withoutMembers(schema: TObject, names: readonly string[]): unknown {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
  )
  const required = ((schema.required as string[] | undefined) ?? []).filter(name => !names.includes(name))
  return { ...schema, properties, required }
}
