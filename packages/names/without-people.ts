/** Removes e-mail addresses, phone numbers and people from quotations of sites. */

/** Matches e-mail addresses. Each match begins at the edge of a word, so that a long word is read once. */
const email =
  /(?<![^\s<>()[\]"',;:@])[^\s<>()[\]"',;:@]+(?:@|\s?[[({]\s?at\s?[\])}]\s?)[^\s<>()[\]"',;:@]+\.\p{L}{2,}/giu
/** Matches phone numbers with a country prefix, or after a word for a phone. License numbers have neither. */
const phone = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:\+|00)[1-9][\d ()./-]{6,}\d`,
    String.raw`(?<!\p{L})(?:tel|phone|mobile|fax|tele(?:phone|fon|fono|fone)|tél|téléphone|тел|телефон|τηλ)` +
      String.raw`[^\p{L}\d+]{1,4}\+?[\d(][\d ()./-]{4,}\d`,
  ].join('|'),
  'giu',
)

/** Replaces e-mail addresses and phone numbers by `…`. */
export function withoutContacts(text: string): string {
  return text
    .replaceAll(email, '…')
    .replaceAll(phone, '…')
    .replaceAll(/…(?:[\s,;]*…)+/g, '…')
}

/** Titles and forms of address that precede a person's name. */
const titles = [
  'directors?|officers?|ceo|cfo|coo|cto|mlro|dpo|secretary|founders?|president|chairman|chairwoman|partners?',
  'represented by|representatives?|contact persons?|attn|attention|mr|mrs|ms|dr|prof',
  'geschäftsführer(?:in)?|vertreten durch|inhaber(?:in)?|vorstand|herr|frau|ansprechpartner(?:in)?',
  'datenschutzbeauftragte[rn]?|gérante?|directeur|directrice|représentée? par|délégué[e]?|monsieur|madame',
  'responsable|administrador(?:a|es)?|representad[ao] por|apoderad[ao]|director(?:a|es)|señor|señora',
  'amministratore|rappresentat[ao] da|rappresentante|titolare|signor[ea]?|diretor(?:a|es)|representante',
  'dyrektor|prezes|reprezentowan[aey] przez|pan|pani|jednatel|ředitel(?:ka)?|zastoupen[aá]?|konateľ',
  'bestuurder|vertegenwoordigd door|functionaris|verkställande direktör|direktör|direktør|adm\\. dir',
  'toimitusjohtaja|tegevjuht|vadovas|valdes|igazgató|ügyvezető|administrator|reprezentat[ăa]? de|управител',
  'директор|генеральный директор|представитель|διευθυντής|εκπρόσωπος|müdür|yetkili',
].join('|')
const title = new RegExp(`(?<![\\p{L}\\p{N}])(?:${titles})(?![\\p{L}\\p{N}])`, 'iu')

/**
 * Returns the part of a quotation around `at` without contacts. It ends at a person's title, because a name
 * and an address may follow.
 */
export function withoutPeople(text: string, at: number): string {
  const before = text.slice(0, at)
  const after = text.slice(at)
  const kept = title.exec(after)
  const front = title.test(before) ? '…' : before
  const back = kept === null ? after : `${after.slice(0, kept.index).trimEnd()}…`
  return withoutContacts(`${front}${back}`)
}
