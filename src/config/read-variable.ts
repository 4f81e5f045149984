/** An invalid setting, which stops the start. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(variable: string, accepted: string, value: string) {
    super(`${variable}=${value} is invalid: it must be ${accepted}.`)
  }
}

export type ReadVariable = (name: string) => string | null

export type Range = { minimum: number; maximum: number }

export function readInteger(read: ReadVariable, name: string, { minimum, maximum }: Range): number | null {
  const text = read(name)
  if (text === null) return null
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= minimum && value <= maximum)) {
    throw new SettingsError(name, `a whole number from ${minimum} to ${maximum}`, text)
  }
  return value
}

/** Reads a URL. Errors do not repeat the value, which may contain a password. */
export function url(read: ReadVariable, name: string, protocols: string[]): string | null {
  const text = read(name)
  if (text === null) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new SettingsError(
      name,
      `a URL starting with ${protocols.map(each => (each === 'mailto:' ? each : `${each}//`)).join(' or ')}`,
      '…',
    )
  }
  return text
}

export function readWord<const Words extends readonly string[]>(
  read: ReadVariable,
  name: string,
  words: Words,
  fallback: Words[number],
): Words[number] {
  const text = read(name)
  if (text === null) return fallback
  const found = words.find(each => each === text)
  if (found === undefined) throw new SettingsError(name, `one of ${words.join(', ')}`, text)
  return found
}

export const portMax = 65_535

const hostsMax = 100

/**
 * Reads hosts as URLs spell them: lower case, IPv6 in brackets. The port is required, so that other
 * services of a host stay refused.
 */
export function hostsAndPorts(read: ReadVariable, name: string): string[] {
  const text = read(name)
  if (text === null) return []
  const hosts = text.split(',').map(part => hostAndPort(part.trim()))
  if (hosts.length > hostsMax || hosts.includes(null))
    throw new SettingsError(
      name,
      `at most ${hostsMax} hosts with ports (lists.internal:8080), separated by commas`,
      text,
    )
  return hosts as string[]
}

export function hostAndPort(text: string): string | null {
  const [, host = '', port = ''] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
  if (!(Number(port) >= 1 && Number(port) <= portMax) || !URL.canParse(`http://${host}`)) return null
  return `${new URL(`http://${host}`).hostname}:${Number(port)}`
}
