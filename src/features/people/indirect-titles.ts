/** Titles that name an office the person does not have. Pattern syntax: title-pattern.ts. */
export const languages = [
  ...(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs'] as const),
  ...(['sk', 'sv', 'da', 'no', 'fi', 'ro', 'el', 'ru', 'uk'] as const),
] as const
export type Language = (typeof languages)[number]

/** Before the office, or at the end of its part of the title: `CEO (retired)`, `CEO a.D.` */
export const former: Record<Language, string> = {
  en: 'former|formerly|ex|exceo|retired|previous|previously|past|emeritus|erstwhile|onetime|one time|ret|retd|rtd',
  de: 'ehemalig*|ehem|ehemals|fruher*|vormalig*|vormals|vorherig*|einstig*|pensioniert*|im ruhestand|ausser dienst',
  fr: 'ancien|ancienne|anciennement|precedemment|honoraire|retraite|retraitee|en retraite|a la retraite',
  es: 'antiguo|antigua|anterior|anteriormente|exdirector*|expresident*|jubilado|jubilada|retirado|retirada',
  it: 'gia|precedente|precedentemente|in pensione|pensionato|pensionata|emerito|emerita',
  pt: 'antigo|antiga|anteriormente|aposentado|aposentada|reformado|reformada',
  nl: 'voormalig*|vroeger|vroegere|gewezen|oud|vm|gepensioneerd*|buiten dienst|in ruste',
  pl: 'byly|byla|dawny|dawna|dawniej|poprzedni|poprzednia|eks|emerytowany|emerytowana|w stanie spoczynku',
  cs: 'byvaly|byvala|drivejsi|predchozi|minuly|minula|emeritni|v duchodu|ve vysluzbe',
  sk: 'predchadzajuci|predchadzajuca|predosly|predosla|niekdajsi|niekdajsia|emeritny|emeritna|na dochodku|v dochodku',
  sv: 'tidigare|fd|f d|fore detta|forre|forra|forutvarande|pensionerad|avgangen',
  da: 'tidligere|tidl|forhenvaerende|fhv|afgaet|pensioneret',
  no: 'tidlegare|avgatt|pensjonert',
  fi: 'entinen|entiset|ent|aiempi|aiemmin|aikaisempi|elakkeella|elakkeelle jaanyt|elakoitynyt',
  ro: 'fost|fosta|fostul|pensionat|pensionata|la pensie|anterioara',
  el: 'πρώην|τέως|διατελέσας|διατελέσασα|συνταξιούχος|πρ',
  ru: 'бывш*|экс|прежн*|предыдущ*|ранее|в отставке|на пенсии',
  uk: 'колишн*|екс|попередн*|раніше|у відставці|на пенсії',
}

/** A past or desired office, but only at the end of a part. */
export const formerAtEnd = 'until|wannabe|aspiring|in waiting|to be'

export const others = [
  '(aspiring|wannabe|future ceo|future cto|future founder|seeking|looking for)',
  '(chief of staff|office of|office manager|reporting|report|reports) … (ceo|cto|coo|cfo|cmo|chief|president|chairman|founder|director)',
  '(ceo|cto|cmo|coo|cfo|executive|founder|president) (s|) (office|coach|coaching|mentor|adviser|advisor|club|magazine|summit|award|awards|network|whisperer)',
  'president of the (club|association)',
  '(helping|for) (ceos|founders|directors)',
]

/** Ends a former office and starts the current one. */
export const now =
  'now|current|currently|today|jetzt|heute|aktuell|actuellement|actualmente|attualmente|oggi|atualmente|thans|nu|obecnie|nyni|teraz|nykyinen|nyt|acum|νυν|ныне|сейчас|нині|зараз'

/** Before the office (`Deputy CEO`), or at the end of its part: `Geschäftsführer (stv.)`. */
export const deputies: Record<Language, string> = {
  en: 'deputy|vice|sub|alternate|substitute',
  de: 'stellvertret*|stellv|stv|vize|vertreter des|vertreter der|vertreterin des|vertreterin der',
  fr: 'adjoint|adjointe|suppleant|suppleante|bras droit',
  es: 'adjunto|adjunta|suplente|subdirector|subdirectora|mano derecha',
  it: 'aggiunto|aggiunta|vicario|vicaria|sostituto|sostituta|vicedirettore|vicedirettrice',
  pt: 'substituto|substituta|braco direito',
  nl: 'plaatsvervang*|plv|plvv|substituut|adjunct|rechterhand',
  pl: 'zastepca|zastepczyni|z ca|zast|wice',
  cs: 'zastupce|zastupkyne|zastupujici|zast|namestek|namestkyne',
  sk: 'zastupca|zastupkyna|namestnik|namestnicka',
  sv: 'bitradande|stallforetradande|stallforetradare|stf',
  da: 'assisterende|stedfortraedende|stedfortraeder|souschef for',
  no: 'vise|nest|stedfortreder|stedfortredende|varamann',
  fi: 'vara|apulais|sijainen|varahenkilo',
  ro: 'loctiitor|loctiitoare|inlocuitor|inlocuitoare|supleant|supleanta',
  el: 'αναπληρωτής|αναπληρωτη|αναπληρώτρια|αναπλ|υπο|βοηθός',
  ru: 'заместитель|заместительница|зам|вице',
  uk: 'заступник|заступниця|заст|віце',
}

/** After the office: `Directrice générale adjointe`, `Director técnico adjunto`. */
export const deputyAdjectives =
  'adjoint|adjointe|delegue|deleguee|suppleant|suppleante|adjunto|adjunta|suplente|aggiunto|aggiunta|vicario|vicaria|substituto|substituta|adjunct|adjuncta|adj'

/** Compounds and abbreviations: `Geschäftsführerstellvertreter`, `v. VD`. */
export const deputyWords = '*stellvertret*|v vd|v verkstallande direktor'

/** A "vice" before these is not a deputy of the office: `Vice President, Deputy Chairman and CEO`. */
export const presidents =
  'president*|prasident*|presedinte|prezes*|prezident*|president|chair*|вице|президент*|πρόεδρος|ordforande|formand|captain'

type Adviser = {
  words: string
  /** Prepositions before the advised person; empty in inflected languages. */
  to: string
}
const inflected = ''

export const advisers: Record<Language, Adviser> = {
  en: { words: 'adviser|advisor|advising|consultant|coach|coaching|mentor', to: 'to|of|for' },
  de: { words: 'berater|beraterin|berater*|coach', to: 'des|der|von|vom|fur|dem' },
  fr: {
    words: 'conseiller|conseillere|consultant|consultante|coach',
    to: 'du|de|des|d|au|aupres du|aupres de',
  },
  es: {
    words: 'asesor|asesora|consejero|consejera|consultor|consultora',
    to: 'del|de|al|a la|para el|para la',
  },
  it: {
    words: 'consigliere|consigliera|consulente|assessore',
    to: 'del|della|dell|dello|dei|di|al|alla|all|per il',
  },
  pt: { words: 'assessor|assessora|conselheiro|conselheira|consultor', to: 'do|da|dos|de|ao|para o|para a' },
  nl: { words: 'adviseur|adviseuse|raadgever|raadsman|consulent', to: 'van|aan|voor' },
  pl: { words: 'doradca|doradczyni|konsultant|konsultantka', to: inflected },
  cs: { words: 'poradce|poradkyne|konzultant|konzultantka', to: inflected },
  sk: { words: 'poradca|poradkyna', to: inflected },
  sv: { words: 'radgivare|konsult', to: 'till|at|for' },
  da: { words: 'radgiver|konsulent', to: 'til|for' },
  no: { words: 'radgiver|radgjevar|seniorradgiver', to: 'til|for|hos' },
  fi: { words: 'neuvonantaja|konsultti', to: inflected },
  ro: { words: 'consilier|consilierul|consiliera|consultant|consultanta', to: inflected },
  el: { words: 'σύμβουλος', to: 'του|της|των' },
  ru: { words: 'советник|советница|консультант', to: inflected },
  uk: { words: 'радник|радниця|консультант|консультантка', to: inflected },
}

/** After the advised person: `VD-rådgivare`, `CEO:n neuvonantaja`. */
export const adviserCompounds =
  'berater|beraterin|coach|adviseur|raadgever|radgivare|radgiver|neuvonantaja|konsultti|советник|радник'

export const advised =
  'ceo|ceos|cto|ctos|cfo|coo|cmo|cio|cpo|md|pdg|dg|vd|chief|managing|founder*|owner*|chair*|board|president*|presiden*|prasident*|director*|directeur*|directric*|direktor*|diretor*|dirett*|dyrektor*|reditel*|riaditel*|predsed*|prezes*|zarzad*|jednatel*|konatel*|geschaftsfuhr*|geschaeftsfuehr*|vorstand*|generaldirektor*|amministrator*|amministratric*|consejer*|gerent*|algemeen|bestuur*|koncernchef*|konsernsjef*|verkstallande|administrerende|daglig|toimitusjohtaj*|*johtajan|presedint*|fondat*|fundad*|διευθύν*|διευθυντ*|γενικού|γενικής|προέδρου|ιδρυτή|генеральн*|директор*|гендиректор*|президент*|председател*|основател*|голови|виконавч*|исполнительн*|техническ*|технічн*|generaln*|technick*'

/** Removed with their whole part of the title. */
export const assistants: Record<Language, readonly string[]> = {
  en: [
    '(assistant|assistants|secretary to|secretary of the|executive secretary|personal secretary|aide to|right hand to|right hand of)',
    '(pa|ea) (to|for)',
    's (pa|ea|secretary|associate|aide|office)',
    '(founders|directors|executives) office',
    '(founder|founders|cofounder|ceo) associate',
    '(student|studying|intern|internship|trainee|apprentice)',
  ],
  de: [
    '(assistent*|*assistent|*assistentin|assistenz|*assistenz|sekretarin|sekretaerin|*sekretarin|*sekretariat|sekretariat|rechte hand)',
    '(buro|vorstandsburo|referent|referentin|vorstandsreferent*) … (vorstand*|geschaftsfuhr*|geschaeftsfuehr*|direktor*|ceo|cto)',
    '(praktikant*|werkstudent*|azubi|auszubildende*)',
  ],
  fr: [
    '(assistant|assistante|assistants|chef de cabinet|cheffe de cabinet|attache de direction|attachee de direction)',
    '(secretaire|secretariat) (de|du|des|d|particuliere|particulier)',
    '(stagiaire|alternant|alternante|apprenti|apprentie)',
  ],
  es: [
    '(asistente|asistentes|ayudante|auxiliar|becario|becaria)',
    '(secretaria|secretario) (de|del|ejecutiva|ejecutivo)',
  ],
  it: [
    '(assistente|assistenti|stagista|tirocinante|collaboratore del|collaboratrice del)',
    '(segretaria|segretario|segreteria) (di|del|della|dell|dello|particolare|generale)',
  ],
  pt: [
    '(assistente|assistentes|estagiari*|auxiliar|adjunto do|adjunta do)',
    '(secretaria|secretario) (de|do|da|executiva|executivo|particular)',
  ],
  nl: [
    '(assistent*|*assistent|*assistente|secretaresse|*secretaresse|stagiair|stagiaire|directiesecretaris)',
  ],
  pl: ['(asystent*|*asystent*|sekretarka|sekretarz*|sekretariat|stazyst*|praktykant*)'],
  cs: ['(asistent*|sekretarka|sekretar|sekretariat|tajemnik|tajemnice|stazist*)'],
  sk: ['(asistent*|tajomnik|tajomnicka|stazist*)'],
  sv: ['(assistent*|*assistent|sekreterare|*sekreterare|praktikant*)'],
  da: ['(sekretaer|*sekretaer|elev|studentermedhjaelper*)'],
  no: ['(sekretaer|*sekretaer|laerling)'],
  fi: ['(assistent*|*assistentti|sihteeri|*sihteeri|avustaja|harjoittelija)'],
  ro: ['(asistent*|secretara|secretar|secretariat|stagiar|stagiara)'],
  el: ['(βοηθός|γραμματέας|ασκούμενος|ασκούμενη)'],
  ru: ['(ассистент*|помощник*|помощница|секретар*|референт*|стажер*|стажист*)'],
  uk: ['(асистент*|помічник*|помічниця|секретар*|стажер*|стажист*)'],
}

/** In languages outside the glossary. */
export const furtherAssistants = ['(asistan*|asszisztens*|titkarno*|sekreter*)']
