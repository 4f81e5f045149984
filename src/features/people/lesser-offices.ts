/**
 * Leaders of less than a company, or in another trade: `Gérant de restaurant`, `Medical Director`.
 * Pattern syntax: title-pattern.ts.
 */
import { functionWords } from './function-words.ts'
import { anyOf, sourceWithinPart } from './title-pattern.ts'

const leaders = [
  'director|directora|directeur|directrice|direttore|direttrice|diretor|diretora|directoare|directorul',
  'direktor|direktorin|dyrektor|dyrektorka|reditel|reditelka|riaditel|riaditelka|johtaja',
  'διευθυντής|διευθύντρια|директор|директорка|leder|chef|sjef',
  'general manager|gerente|gerenta',
].join('|')
const general = 'general|generale|geral|generala|executive'
const of = [
  'of|of the|of a|de|de la|de l|de las|de los|d|du|des|del|della|dell|dello|delle|degli|dei',
  'di|do|da|das|dos|der|van|van de|van het',
].join('|')

/** The object of a leader: `Directeur d'école`. Only at its end: a `Director of Store Operations` is one. */
const led = [
  'shop|store|restaurant|bar|pub|cafe|hotel|pharmacy|supermarket|gym|nightclub',
  'magasin|boutique|bar tabac|pharmacie|supermarche|agence|station service|brasserie',
  'tienda|restaurante|farmacia|supermercado|sucursal|negozio|ristorante|albergo|filiale|punto vendita|loja',
  'winkel|filiaal|sklepu|restauracji|hotelu|apteki',
  'prodejny|predajne|restaurace|restauracie|lekarny|lekarne',
  'магазина|магазину|ресторана|ресторану|отеля|готелю|аптеки|кафе|καταστήματος|εστιατορίου|ξενοδοχείου',
  'school|college|kindergarten|nursery|hospital|clinic|church',
  'parish|choir|orchestra|band|theatre|theater|camp',
  'ecole|lycee|creche|hopital|clinique|orchestre|choeur',
  'escuela|colegio|clinica|teatro|orquesta|orchestra|coro',
  'scuola|ospedale|escola|schule|klinik|theaters|ziekenhuis|orkest|szkoly|szpitala|teatru|przedszkola',
  'skoly|skolky|nemocnice|divadla|scoala|scolii|spital|spitalului|teatrului|magazin|magazinului',
  'школы|больницы|театра|оркестра|клиники|школи',
  'лікарні|театру|оркестру|клініки|σχολείου|νοσοκομείου|θεάτρου',
  'nursing|photography|music|cinematography|photographie|fotografia',
  'football|soccer|futbol|futebol|calcio|fussball',
].join('|')

/** Before a leader: `Choir Director`. */
const before = [
  'art|artistic|casting|music|musical|choral|film|movie|stage|dance|photography|funeral|athletic|worship',
  'medical|clinical|nursing|school|choir|band|orchestra|theatre|theater|camp|hospital|pharmacy',
  'restaurant|store|shop|bar|pub|nightclub|supermarket',
  'arztlicher|arztliche|medizinischer|medizinische|kunstlerischer|kunstlerische|musikalischer|musikalische',
  'medisch|artistiek|umelecky|umelecka|medicinsky|lekarsky',
  'hudebni|hudobny|konstnarlig|kunstnerisk|medicinsk|medisinsk',
  'taiteellinen|καλλιτεχνικός|ιατρικός|медицинский|художественный|музыкальный|медичний|художній|музичний',
].join('|')

/** Behind a leader: `Directeur artistique`. */
const behind = [
  'artistique|medical|medicale|musical|musicale|artistico',
  'artistica|medico|medica|clinico|clinica|sanitario',
  'sanitaria|musicale|scolastico|scolastica|escolar',
  'artistic|artystyczny|artystyczna|medyczny|medyczna|muzyczny',
].join('|')

const compounds = [
  '(musikdirektor*|schuldirektor*|klinikdirektor*|theaterdirektor*|schooldirecteur|theaterdirecteur)',
  '(kokschef|kokkenchef|kjokkensjef|butikschef|butikksjef|restaurangchef|restaurantchef|restaurantsjef)',
  '(skolchef|skolechef|stationschef|teaterchef|teatersjef|sykehusdirektor|sjukhusdirektor)',
]

/** A company itself has a `gérant`: `Gérant de la société`. */
const ofCompany = 'societe|sarl|entreprise|l entreprise|la societe|groupe|filiale|holding'

const within = (words: string) => sourceWithinPart(`(${words})`)
const endOfPart = '(?= [,|]|$)'
const leader = `${within(leaders)}(?:${within(general)})?`

const chiefs = [
  'directeur general|directrice generale|director general|directora general|gerente general',
  'direttore generale|direttrice generale|diretor geral|diretora geral',
].join('|')
const functions = Object.entries(functionWords).flatMap(([name, { words }]) =>
  name === 'games' || name === 'trading' ? [] : words,
)

/** Leads one function, not the company: `Directeur général des opérations`. */
export const chiefsOfFunction = new RegExp(
  `${within(chiefs)}(?:${within(of)})?(?=${anyOf(functions).source})`,
  'g',
)

export const lesserOffices = new RegExp(
  [
    `${leader}(?:${within(of)})?${within(led)}${endOfPart}`,
    `${within(before)}${leader}`,
    `${leader}${within(behind)}`,
    `${within('gerant|gerante')}${within('de|de la|de l|d|du|des')}(?!${within(ofCompany)})`,
    anyOf(compounds).source,
  ]
    .map(source => `(?:${source})`)
    .join('|'),
  'g',
)
