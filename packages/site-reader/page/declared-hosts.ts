/** Reads hosts that a site declares in its Content-Security-Policy and `Link` header. */
import type { PageHost } from './page-fields.ts'

const policyCharactersMax = 20_000
const sourcesMax = 500
const linksMax = 100

/**
 * Returns sources of directives that load or send. `frame-ancestors` and reports are left out, because they
 * name other parties.
 */
export function policyHosts(policy: string): PageHost[] {
  const sources = policy
    .slice(0, policyCharactersMax)
    .split(/[;,]/)
    .map(directive => directive.trim().toLowerCase().split(/\s+/))
    .filter(([name]) => name?.endsWith('-src') || name?.endsWith('-src-elem') || name === 'form-action')
    .flatMap(([, ...named]) => named)
  return [...new Set(sources)].slice(0, sourcesMax).flatMap(source => {
    const [, host, path] =
      /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?([a-z0-9.-]+\.[a-z0-9-]+)(?::[\d*]+)?(\/.*)?$/.exec(source) ?? []
    return host === undefined ? [] : [{ host, path: path ?? '', via: 'csp' as const }]
  })
}

export type LinkElement = { rel: string; href: string; as?: string; hreflang?: string }

/** Parses `<https://pay.example>; rel=preconnect, …`. */
export function linkHeader(header: string): LinkElement[] {
  const found = header.slice(0, policyCharactersMax).matchAll(/<([^<>]{1,2000})>([^<>]{0,300})/g)
  return [...found.take(linksMax)].map(([, href = '', parameters = '']) => ({
    href,
    rel: parameter(parameters, 'rel'),
    as: parameter(parameters, 'as'),
    hreflang: parameter(parameters, 'hreflang'),
  }))
}

function parameter(parameters: string, name: string): string {
  const found = parameters
    .split(';')
    .map(each => each.trim().replace(/,$/, ''))
    .find(each => each.toLowerCase().startsWith(`${name}=`))
  return found === undefined
    ? ''
    : found
        .slice(name.length + 1)
        .replaceAll('"', '')
        .trim()
        .toLowerCase()
}

/** Returns how a page uses what `<link rel=preload as=…>` names. */
export function preloaded(as: string): PageHost['via'] {
  if (as === 'style' || as === 'image') return as
  if (as === 'script' || as === '') return 'script'
  return 'preconnect'
}
