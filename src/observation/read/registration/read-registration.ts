/** Reads `registration` (§2.10) from the answers of a registry and its registrar. */
import type { Capture } from '../../capture.ts'
import type { Finding } from '../../finding.ts'
import { cardOf, entityOf, eventAt, listOf, type Members, parseRdap, textOf } from './rdap-json.ts'
import { isNothing, readRegistrant } from './read-registrant.ts'

const statusesMax = 50

export function readRegistration(captures: readonly Capture[], domain: string): Finding[] {
  const answered = captures.flatMap((capture, position) => {
    const { kind, status, body, truncated } = capture
    if (kind !== 'rdap' || status !== 200 || body === null || truncated) return []
    const answer = parseRdap(body)
    return isAbout(answer, domain) ? [{ answer, position }] : []
  })
  const [registry] = answered
  if (registry === undefined) return []
  const answers = answered.map(({ answer }) => answer)
  const value = {
    registrar: firstOf(answers, registrarOf),
    registered_at: firstOf(answers, answer => eventAt(answer, 'registration')),
    updated_at: firstOf(answers, answer => eventAt(answer, 'last changed')),
    expires_at: firstOf(answers, answer => eventAt(answer, 'expiration')),
    domain_statuses: statusesOf(registry.answer),
    registrant: readRegistrant(answers),
  }
  return [
    {
      section: 'registration',
      valueKey: '',
      value,
      rule: 'rdap',
      strength: 3,
      capture: registry.position,
      snippet: null,
    },
  ]
}

/** A server may answer a name with another one, for instance an error page in JSON. */
function isAbout({ objectClassName, ldhName }: Members, domain: string): boolean {
  const name = textOf(ldhName)?.toLowerCase().replace(/\.$/, '')
  return (objectClassName === 'domain' || objectClassName === undefined) && name === domain
}

/** The registry's own, where it has one. */
function firstOf(answers: readonly Members[], read: (answer: Members) => string | null): string | null {
  for (const answer of answers) {
    const value = read(answer)
    if (value !== null) return value
  }
  return null
}

function registrarOf(answer: Members): string | null {
  const entity = entityOf(answer, 'registrar')
  const card = cardOf(entity)
  const name = [card?.organization, card?.name].find(each => each !== null && each !== undefined)
  return name === undefined || isNothing(name ?? '') ? textOf(entity?.handle) : (name ?? null)
}

function statusesOf({ status }: Members): string[] {
  const statuses = listOf(status).map(textOf)
  return [...new Set(statuses.filter(each => each !== null))].slice(0, statusesMax)
}
