import type { ConnectTo } from '../core/network-settings.ts'

/** Where to connect instead; null: to the host itself. The first match counts, as with curl. */
export function connectTarget(
  rules: readonly ConnectTo[],
  host: string,
  port: number,
): { host: string; port: number } | null {
  const rule = rules.find(
    each => (each.host === null || each.host === host) && (each.port === null || each.port === port),
  )
  return rule === undefined ? null : { host: rule.toHost ?? host, port: rule.toPort ?? port }
}
