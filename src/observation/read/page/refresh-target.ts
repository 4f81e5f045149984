import type { PageFields } from './page-fields.ts'

/** Where a meta refresh leads; null: nowhere. */
export function refreshTarget({ refreshTo, url }: Pick<PageFields, 'refreshTo' | 'url'>): string | null {
  const target = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,2000})/i.exec(refreshTo ?? '')?.[1]
  return target === undefined ? null : (URL.parse(target.trim(), url)?.href ?? null)
}
