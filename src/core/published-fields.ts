/** What a register or blocklist can publish, by the names of the wire. */
export const publishedFieldNames = [
  'licenses',
  'holders',
  'domains',
  'statuses',
  'revocations',
  'dates',
  'roles',
] as const
export type PublishedField = (typeof publishedFieldNames)[number]

export const streamKinds = ['register', 'blocklist', 'register_and_blocklist'] as const
export type StreamKind = (typeof streamKinds)[number]
