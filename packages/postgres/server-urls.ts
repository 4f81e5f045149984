const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s
const serversMax = 16
const passwordParameters = ['password', 'sslpassword']

/**
 * Returns a URL for each server of a URL with several hosts, as libpq reads it:
 * `postgres://user:password@one:5432,two:5433/database`, or `?host=one,two&port=5432`. Returns null for an
 * invalid one.
 */
export function serverUrls(url: string): string[] | null {
  const [, start = '', hosts = '', rest = ''] = form.exec(url) ?? []
  const urls = hosts.split(',').map(host => `${start}${host}${rest}`)
  const [first = ''] = urls
  if (start === '' || !urls.every(each => URL.canParse(each))) return null
  const named = new URL(first).searchParams
  const names = named.get('host')?.split(',')
  if (names === undefined) return urls.length > serversMax ? null : urls
  const ports = named.get('port')?.split(',') ?? []
  const fits = ports.length <= 1 || ports.length === names.length
  if (!fits || names.length > serversMax || names.includes('')) return null
  return names.map((name, index) => {
    const each = new URL(first)
    each.searchParams.set('host', name)
    const port = ports[index] ?? ports[0]
    if (port !== undefined) each.searchParams.set('port', port)
    return each.href
  })
}

/** Returns a valid database URL without its password, for people to read. */
export function withoutPassword(url: string): string {
  const [, start = '', hosts = '', rest = ''] = form.exec(url) ?? []
  const parsed = new URL(`${start}${placeholder}${rest}`)
  parsed.password = ''
  for (const name of passwordParameters) if (parsed.searchParams.has(name)) parsed.searchParams.delete(name)
  return parsed.href.replace(placeholder, () => hosts)
}

export function hasPassword(url: string): boolean {
  const [first = url] = serverUrls(url) ?? []
  const { password, searchParams } = new URL(first)
  return password !== '' || passwordParameters.some(name => searchParams.has(name))
}

/** Stands for the hosts while the standard parser, which accepts only one, reads the rest. */
const placeholder = 'hosts-of-the-database.invalid'
