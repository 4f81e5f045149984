import { deputyLeader } from './genitive-deputies.ts'

/** Who leads a function, in the languages of the glossary; the language of patterns is that of title-pattern.ts. */

/** What stands before or behind the words of the function. */
const leads = {
  en: 'head|director|vp|svp|evp|vice president|lead|leader|chief',
  de: 'leiter|leiterin|leitung|bereichsleit*|abteilungsleit*|teamleit*|direktor|direktorin|vorstand|vorstandin|chef|chefin|verantwortliche*',
  fr: 'directeur|directrice|responsable|chef du|chef de la|cheffe du|cheffe de la|dir',
  es: 'director|directora|responsable|jefe|jefa|lider',
  it: 'direttore|direttrice|responsabile|capo',
  pt: 'diretor|diretora|responsavel|chefe|lider',
  nl: 'hoofd|directeur|directrice|teamleider|leider|verantwoordelijke',
  pl: 'dyrektor|dyrektorka|szef|szefowa|kierownik|kierowniczka|lider|liderka',
  cs: 'reditel|reditelka|vedouci|sef|sefka|riaditel|riaditelka|veduci|veduca',
  nordic:
    'chef|chef for|chef inom|direktor|direktør|leder|sjef|ansvarlig for|ansvarig|johtaja|paallikko|vetaja',
  ro: 'director|directoare|sef|sefa|responsabil|responsabila',
  el: 'διευθυντής|διευθύντρια|επικεφαλής|υπεύθυνος|υπεύθυνη|προϊστάμενος|προϊσταμένη',
  ru: 'директор|директорка|руководитель|руководительница|начальник|глава|керівник|керівниця|начальниця|очільник|очільниця',
} as const

/**
 * Patterns for who leads a function, both orders of the words in each language, and for who deputises; `everywhere` are words
 * that all of them use.
 */
export function leading(words: Record<keyof typeof leads, string>, everywhere: string): string[] {
  const slavic = `${deputyLeader} … (${words.pl}|${words.cs}|${words.ru}|${everywhere})`
  const leaders = Object.entries(words).flatMap(([language, named]) => {
    const who = leads[language as keyof typeof leads]
    return [`(${who}) … (${named}|${everywhere})`, `(${named}|${everywhere}) … (${who})`]
  })
  return [...leaders, slavic]
}
