import { deputyLeader } from './genitive-deputies.ts'

const leads = {
  en: 'head|director|vp|svp|evp|vice president|lead|leader|teamlead|chief',
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

/** In both word orders, with deputies. `everywhere`: words of all languages. */
export function leading(words: Record<keyof typeof leads, string>, everywhere: string): string[] {
  const slavic = `${deputyLeader} … (${words.pl}|${words.cs}|${words.ru}|${everywhere})`
  const leaders = Object.entries(words).flatMap(([language, named]) => {
    const leader = leads[language as keyof typeof leads]
    return [`(${leader}) … (${named}|${everywhere})`, `(${named}|${everywhere}) … (${leader})`]
  })
  return [...leaders, slavic]
}
