/** What the operations of a tag do, in the order of the reference page. */
const descriptions: Readonly<Record<string, string>> = {
  Domains: 'Whether a site is licensed or blocked, where and by whom, and what was observed on it.',
  Enrichments: 'Checks of sites that run in the background.',
  Companies: 'Who runs gambling sites or supplies them: search, profiles and contacts.',
  Licenses: 'Licenses as the registers publish them.',
  Signals: 'Feeds of what changed in the registers and on sites.',
  Logos: 'Images of sites, Companies, brands, payment methods and games.',
  Exports: 'Files of many domains with the evidence of their verdicts.',
  Coverage: 'What is read of each market, and how current it is.',
  'Prospect lists': 'Lists of Companies and contacts that staff prepare on request.',
  Account: 'The plan and the credits of the key that is sent.',
}

export function describeTags(tags: Iterable<string>): object[] {
  return [...new Set(tags)].map(name => {
    const description = descriptions[name]
    if (description === undefined) throw new Error(`describe the tag "${name}" in describe-tags.ts`)
    return { name, description }
  })
}
