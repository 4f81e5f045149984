type Figures = { granted: number | null; used: number; reserved: number }

/** No remainder for accounts without a quota. */
export function creditHeaders(charged: number, { granted, used, reserved }: Figures): Record<string, string> {
  const headers: Record<string, string> = { 'x-credits-charged': String(charged) }
  if (granted !== null) headers['x-credits-remaining'] = String(Math.max(0, granted - used - reserved))
  return headers
}
