/** Highest seniority first (§2.17). `without`: look-alikes, removed before the words are matched. */
import { responsibleGaming } from './function-words.ts'
import { deputyOf } from './genitive-deputies.ts'

export const seniorities = [
  'c_level',
  'founder_owner',
  'vp',
  'head',
  'director',
  'lead',
  'manager',
  'ic',
] as const
export type Seniority = (typeof seniorities)[number]

type Words = { words: readonly string[]; without?: readonly string[] }

export const chiefExecutives = [
  '(ceo|gceo)',
  'chief executive',
  '(managing director|managing partner)',
  'president and chief executive',
  '(geschaftsfuhrer*|geschaeftsfuehrer*|geschaftsfuhrend*|geschaeftsfuehrend*|geschaftsleiter*|generaldirektor*|vorstandsvorsitz*|vorstandschef*|vorstandssprecher*)',
  '(pdg|president directeur general|presidente directrice generale)',
  '(directeur general|directrice generale|dg|gerant|gerante|administrateur delegue|administratrice deleguee)',
  '(director|directora) general',
  '(consejero delegado|consejera delegada|presidente ejecutivo|presidenta ejecutiva|gerente general|director gerente|directora gerente|director ejecutivo|directora ejecutiva)',
  '(amministratore|amministratrice) (delegato|delegata|unico|unica)',
  '(direttore|direttrice) generale',
  '(diretor|diretora) (geral|presidente)',
  '(presidente executivo|presidente executiva|administrador delegado|administradora delegada|presidente da comissao executiva)',
  '(algemeen directeur|algemeen directrice|bestuursvoorzitter|directeur bestuurder|voorzitter van de raad van bestuur)',
  '(prezes zarzadu|prezes|prezeska|dyrektor generalny|dyrektorka generalna|dyrektor zarzadzajacy|dyrektorka zarzadzajaca|dyrektor wykonawczy|dyrektorka wykonawcza)',
  '(generalni reditel|generalni reditelka|vykonny reditel|vykonna reditelka|predseda predstavenstva|predsedkyne predstavenstva|predsednicka predstavenstva|jednatel|jednatelka)',
  '(generalny riaditel|generalna riaditelka|vykonny riaditel|vykonna riaditelka|konatel|konatelka)',
  '(vd|verkstallande direktor|koncernchef)',
  '(administrerende direktor|adm direktor|adm dir|daglig leder|konsernsjef)',
  '(toimitusjohtaja|konsernijohtaja|tegevjuht|valdes priekssedetajs|generalinis direktorius)',
  '(director general|directoare generala|director executiv|directoare executiva|presedinte executiv)',
  '(διευθύνων σύμβουλος|διευθύνουσα σύμβουλος|γενικός διευθυντής|γενική διευθύντρια)',
  '(генеральный директор|исполнительный директор|управляющий директор|гендиректор|ген директор)',
  '(генеральний директор|генеральна директорка|виконавчий директор|виконавча директорка|керуючий директор)',
  '(изпълнителен директор|vezerigazgato|ugyvezeto igazgato|ugyvezeto|genel mudur)',
]

const vice = '(vice|vize|vise|вице|віце)'
const vicePresidents = `${vice} (president*|prasident*|prezes*|presedint*|президент*)`
const viceChairs = `${vice} (chair|chairman|chairwoman|chairperson|chair of the board|chairman of the board|ordforande|formand|vorsitzend*)`

export const seniorityWords: Record<Seniority, Words> = {
  c_level: {
    words: [
      ...chiefExecutives,
      '(coo|cfo|cmo|cto|cio|ciso|cpo|cco|cro|cso|cdo|clo|chro|cgo|cbo|cao|cxo|cpto|ctpo|cdto)',
      'chief … officer',
      'chief (technology|technical|technologist|operating|operations|financial|finance|marketing|product|commercial|revenue|compliance|legal|information|people|strategy|growth|risk|data|digital|customer|business|gaming|brand)',
      '(president|chairman|chairwoman|chairperson|presidente|presidenta|presidentessa|prasident|prasidentin|vorsitzender|vorsitzende|voorzitter)',
      '(presedinte|presedinta|ordforande|styrelseordforande|formand|bestyrelsesformand|styreleder|πρόεδρος|президент|президентка|председатель)',
      'chair of the board',
      '(vorstand|vorstandin|*vorstand|*vorstandin|vorstandsmitglied|mitglied des vorstands|mitglied der geschaftsfuhrung|mitglied der geschaftsleitung)',
      '(directeur general adjoint|directrice generale adjointe|dga)',
      deputyOf('chief'),
      '(czlonek zarzadu|czlonkini zarzadu|clen predstavenstva|clenka predstavenstva|член правления|член правління|directielid|bestuurslid|membre du directoire)',
    ],
    without: [vicePresidents, viceChairs, 'president of the (club|association)'],
  },
  founder_owner: {
    words: [
      '(founder|cofounder|founders|founding partner|founding director)',
      '(owner|coowner|proprietor)',
      '(grunder|grunderin|mitgrunder|mitgrunderin|gruender|gruenderin|mitgruender|inhaber|inhaberin|firmeninhaber|mitinhaber|mitinhaberin|eigentumer|eigentumerin|gesellschafter|gesellschafterin|firmengrunder|firmengrunderin)',
      '(fondateur|fondatrice|cofondateur|cofondatrice|proprietaire)',
      '(fundador|fundadora|cofundador|cofundadora|dueno|duena|propietario|propietaria)',
      '(fondatore|cofondatore|cofondatrice|titolare|proprietario|proprietaria)',
      '(socio|socia) (fundador|fundadora|proprietario|proprietaria|gerente|director|directora|diretor|diretora|administrador|unico|unica)',
      '(oprichter|medeoprichter|mede oprichter|oprichtster|eigenaar|eigenares)',
      '(zalozyciel|zalozycielka|wspolzalozyciel|wspolzalozycielka|wlasciciel|wlascicielka|wspolwlasciciel)',
      '(zakladatel|zakladatelka|spoluzakladatel|majitel|majitelka|spolumajitel|spolumajitelka|spoluzakladatelka|vlastnik)',
      '(grundare|medgrundare|agare|delagare|grundlaegger|medgrundlaegger|ejer|medejer|grunnlegger|medgrunnlegger|medgrunder|eier|medeier|innehaver|indehaver|stifter|medstifter)',
      '(perustaja|perustajaosakas|perustajajasen|omistaja|osaomistaja|yrittaja|asutaja|omanik)',
      '(fondator|fondatoare|cofondator|cofondatoare|proprietar)',
      '(ιδρυτής|ιδρύτρια|συνιδρυτής|συνιδρύτρια|συνιδιοκτήτης|ιδιοκτήτης|ιδιοκτήτρια)',
      '(основатель|основательница|сооснователь|соучредитель|учредитель|владелец|владелица|совладелец|собственник)',
      '(засновник|засновниця|співзасновник|співзасновниця|власник|власниця|співвласник)',
      '(alapito|tarsalapito|tulajdonos|kurucu|kurucusu)',
    ],
    without: [
      '(product|process|business process|data|service|risk|asset|content|model|control|system|platform|feature|backlog|application|solution) (owner|coowner)',
      '(pet|dog|cat|proud|home|race horse|racehorse|horse) owner',
      '(business|restaurant|shop) owner of',
    ],
  },
  vp: {
    words: [
      '(vp|svp|evp|avp)',
      '(vice president|vicepresident*|vice presidente|vicepresidente|vizeprasident*|vizepraesident*|vicepresedint*|visepresident*|viseprasident*)',
      '(wiceprezes*|viceprezident*|wiceprezydent)',
      'αντιπρόεδρος',
      vicePresidents,
      deputyOf('vicePresident'),
    ],
  },
  head: {
    words: [
      'head',
      '(leiter|leiterin|leitung|bereichsleit*|abteilungsleit*|hauptabteilungsleit*|marketingleit*|vertriebsleit*|produktleit*|complianceleit*|finanzleit*|personalleit*|technikleit*|entwicklungsleit*|gesamtleit*)',
      '(responsable|chef du|chef de la|chef des|cheffe du|cheffe de la|cheffe des|chef de service|chef de departement)',
      '(jefe|jefa|responsabile|capo|responsavel|chefe)',
      '(hoofd|afdelingshoofd)',
      '(vedouci|veduci|veduca|sef|sefa|sefka|szef|szefowa)',
      '(*chef|*chefin|*hoofd)',
      // On its own, "chef" means a cook in several languages.
      '(teknisk|compliance|aml|it|hr|pr|crm|seo|marketing|payment|betting|sportsbook|affiliate|risk|data|produkt) (chef|sjef)',
      '(chef|sjef) for (marketing|marknad|marked|produkt|produkter|teknik|teknologi|it|compliance|kommunikation|kommunikasjon)',
      '(avdelningschef|afdelingsleder|avdelingsleder|avdelingssjef|*sjef)',
      '(επικεφαλής|υπεύθυνος|υπεύθυνη|προϊστάμενος|προϊσταμένη)',
      '(руководитель|руководительница|начальник|глава|заведующий|заведующая|завідувач|завідувачка|очільник|очільниця|керівник|керівниця|начальниця|голова)',
      deputyOf('head'),
      '(mlro|dmlro|money laundering reporting officer|nominated officer|general counsel)',
    ],
    without: [
      'head (chef|dealer|croupier|coach|waiter|waitress|barman|bartender|barista|teacher|receptionist|hunter|hunting|nurse|start|cashier|office)',
      '(kuchenchef|kuchenchefin|koksmastare|sous chef)',
      `(${responsibleGaming})`,
    ],
  },
  director: {
    words: [
      '(director|directors|directora|subdirector|subdirectora|vicedirector|vicedirettore|vicedirettrice|wicedyrektor|wicedyrektorka|directrice|directeur|*directeur|direktor*|*direktor|direktorin|*direktorin)',
      '(direttore|direttrice|diretor|diretora|directoare)',
      '(dyrektor|dyrektorka|reditel|reditelka|riaditel|riaditelka)',
      '(johtaja|*johtaja|διευθυντής|διευθύντρια)',
      '(директор|директорка|техдиректор|directorul|igazgato|*igazgato|direktoru)',
      deputyOf('director'),
      viceChairs,
      '(naestformand|viceordforande)',
      '(general|country) manager',
      '(board member|member of the board|board of directors|non executive|aufsichtsrat*|styrelseledamot|bestyrelsesmedlem|styremedlem|hallituksen jasen|hallituksen puheenjohtaja)',
      '(consejero|consejera|consigliere|conselheiro|conselheira|clen dozorci rady|clen dozornej rady|czlonek rady nadzorczej)',
      '(membre du conseil|miembro del consejo|membro del consiglio|membro del cda|membro do conselho|lid van de raad van bestuur|membru al consiliului|μέλος του διοικητικού|член совета директоров|член наглядової ради)',
    ],
    without: ['(art|casting|music|musical|funeral|film|stage|photography) director', 'directory'],
  },
  lead: {
    words: [
      '(lead|leader|teamlead|teamleader)',
      '(teamleit*|gruppenleit*|teamleider|teamleder|teamledare|gruppchef)',
      '(lider|capogruppo|coordinatore|coordinatrice|tym lider|vedouci tymu|тимлид|тимлід|лидер|лідер)',
      '(chef d equipe|chef de file)',
      '(ansvarig|ansvarlig|*ansvarig|*ansvarlig)',
      'responsabil',
    ],
    without: [
      `(${responsibleGaming})`,
      'lead (gen|generation|generator|management|qualification|nurturing)',
      '(leads|leading)',
    ],
  },
  manager: {
    words: [
      '(manager|managers|managerin|manageress|supervisor)',
      '(gerente|encargado|encargada|kierownik|kierowniczka|menedzer*|menadzer*|manazer*)',
      deputyOf('manager'),
      '(менеджер*|управляющий|управитель)',
      '(projektleit*|projektleder|projektledare|chef de projet|chef de produit|chefs de projet)',
      '(paallikko|*paallikko|mudur|muduru|διαχειριστής)',
      '(gestionnaire|gestor|gestora|beheerder)',
    ],
  },
  ic: {
    words: [
      '(officer|analyst|analista|analytiker*|analytik*|analityk*|analyticka|specialist*|specjalist*|spezialist*|specialista|especialista|spécialiste)',
      '(engineer|engineering|ingenieur*|ingénieur|ingegnere|ingeniero|engenheiro|inzynier|ingenjor|developer|entwickler*|développeur*|programador*|programmer|programista|vyvojar*|utvecklare|utvikler|udvikler|sviluppatore)',
      '(executive|associate|consultant|consultor*|consulente|advisor|adviser|asesor|asesora|berater*|doradca|radgivare|radgiver|conseiller)',
      '(coordinator|koordinator*|coordinador*|coordinateur|coordinatrice|coördinator|koordynator*|administrator*|administrateur|agent|representative|expert|ekspert|experto|designer|architect)',
      '(assistant|assistent*|asistent*|asistente|assistente|asystent*|secretary|sekretar*|secretaire|secretaria|segretari*|intern|trainee|praktikant*|stagiaire|becario|becaria|stagista|estagiari*|stazyst*)',
      '(accountant|auditor|lawyer|attorney|counsel|solicitor|jurist*|abogad*|avocat*|avvocato|advogad*|prawnik|buchhalter*|comptable|contable|contabile)',
      '(mitarbeiter*|sachbearbeiter*|referent*|beauftragte*|*beauftragte|*beauftragter|medarbejder|medarbeider|handlaggare|medewerker|pracownik|pracovnik)',
      '(специалист*|аналитик*|инженер*|разработчик*|юрист*|бухгалтер*|фахівець|аналітик*|інженер*|розробник*|координатор*|ειδικός|αναλυτής|σύμβουλος)',
      '(owner|scientist|writer|copywriter|editor|recruiter|tester|trader|dealer|croupier|clerk|support|contributor)',
    ],
  },
}
