/**
 * By which words of a title its seniority is known (§2.17), highest first, in the languages of the field; the language
 * of patterns is that of title-pattern.ts. `without` are look-alikes: they are taken out before the words are looked for.
 */
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

/** Who runs a company, as several languages say it. */
export const chiefExecutives = [
  '(ceo|gceo)',
  'chief executive',
  '(managing director|managing partner)',
  'president and chief executive',
  '(geschaftsfuhrer*|geschaeftsfuehrer*|geschaftsfuhrend*|geschaeftsfuehrend*|generaldirektor*|vorstandsvorsitz*|vorstandschef*|vorstandssprecher*)',
  '(pdg|president directeur general|presidente directrice generale)',
  '(directeur general|directrice generale|dg|gerant|gerante)',
  '(director|directora) general',
  '(consejero delegado|consejera delegada|presidente ejecutivo|presidenta ejecutiva|gerente general)',
  '(amministratore|amministratrice) (delegato|delegata|unico|unica)',
  '(direttore|direttrice) generale',
  '(diretor|diretora) (geral|presidente)',
  '(presidente executivo|presidente executiva|administrador delegado)',
  '(algemeen directeur|algemeen directrice|bestuursvoorzitter)',
  '(prezes zarzadu|prezes|dyrektor generalny|dyrektor zarzadzajacy)',
  '(generalni reditel|generalni reditelka|vykonny reditel|vykonna reditelka|predseda predstavenstva|jednatel|jednatelka)',
  '(generalny riaditel|generalna riaditelka|vykonny riaditel|konatel|konatelka)',
  '(vd|verkstallande direktor|koncernchef)',
  '(administrerende direktor|adm direktor|daglig leder)',
  '(toimitusjohtaja|tegevjuht|valdes priekssedetajs|generalinis direktorius)',
  '(director general|director executiv)',
  '(διευθύνων σύμβουλος|διευθύνουσα σύμβουλος|γενικός διευθυντής|γενική διευθύντρια)',
  '(генеральный директор|исполнительный директор|гендиректор)',
  '(генеральний директор|виконавчий директор|гендиректор)',
  '(изпълнителен директор|vezerigazgato|ugyvezeto igazgato|ugyvezeto|genel mudur)',
]

export const seniorityWords: Record<Seniority, Words> = {
  c_level: {
    words: [
      ...chiefExecutives,
      '(coo|cfo|cmo|cto|cio|ciso|cpo|cco|cro|cso|cdo|clo|chro|cgo|cbo|cao|cxo|cpto|ctpo|cdto)',
      'chief … officer',
      'chief (technology|technical|operating|operations|financial|finance|marketing|product|commercial|revenue|compliance|legal|information|people|strategy|growth|risk|data|digital|customer|business|gaming|brand)',
      '(president|chairman|chairwoman|chairperson)',
      'chair of the board',
      '(vorstand|vorstandsmitglied|mitglied des vorstands)',
      '(directeur general adjoint|directrice generale adjointe|dga)',
      '(czlonek zarzadu|czlonkini zarzadu|clen predstavenstva)',
    ],
    without: ['(vice|vize) (president*|prasident*|prezes*|chairman)', 'president of the (club|association)'],
  },
  founder_owner: {
    words: [
      '(founder|cofounder|founders|founding partner|founding director)',
      '(owner|coowner|proprietor)',
      '(grunder|grunderin|mitgrunder|mitgrunderin|gruender|gruenderin|mitgruender|inhaber|inhaberin|firmeninhaber)',
      '(fondateur|fondatrice|cofondateur|cofondatrice|proprietaire)',
      '(fundador|fundadora|cofundador|cofundadora|dueno|duena|propietario|propietaria)',
      '(fondatore|cofondatore|cofondatrice|titolare|proprietario|proprietaria)',
      'socio (fundador|proprietario)',
      '(oprichter|medeoprichter|oprichtster|eigenaar|eigenares)',
      '(zalozyciel|zalozycielka|wspolzalozyciel|wspolzalozycielka|wlasciciel|wlascicielka|wspolwlasciciel)',
      '(zakladatel|zakladatelka|spoluzakladatel|majitel|majitelka|spolumajitel)',
      '(grundare|medgrundare|agare|delagare|grundlaegger|medgrundlaegger|ejer|medejer|grunnlegger|medgrunnlegger|eier)',
      '(perustaja|perustajaosakas|omistaja|asutaja|omanik)',
      '(fondator|fondatoare|cofondator|cofondatoare|proprietar)',
      '(ιδρυτής|ιδρύτρια|συνιδρυτής|ιδιοκτήτης|ιδιοκτήτρια)',
      '(основатель|основательница|сооснователь|соучредитель|учредитель|владелец|совладелец)',
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
      '(vice president|vicepresident*|vice presidente|vicepresidente|vizeprasident*|vizepraesident*)',
      '(wiceprezes*|viceprezident*|wiceprezydent)',
      '(вице президент|віце президент|αντιπρόεδρος)',
    ],
  },
  head: {
    words: [
      'head',
      '(leiter|leiterin|leitung|bereichsleit*|abteilungsleit*|hauptabteilungsleit*|marketingleit*|vertriebsleit*|produktleit*|complianceleit*|gesamtleit*)',
      '(responsable|chef du|chef de la|chef des|chef de service|chef de departement)',
      '(jefe|jefa|responsabile|capo|responsavel|chefe)',
      '(hoofd|afdelingshoofd)',
      '(vedouci|veduci|sef|sefa|szef|szefowa)',
      '*chef',
      '(avdelningschef|afdelingsleder|avdelingsleder|avdelingssjef|*sjef)',
      '(επικεφαλής|υπεύθυνος|υπεύθυνη|προϊστάμενος|προϊσταμένη)',
      '(руководитель|начальник|глава|керівник|керівниця|начальниця|голова)',
      '(mlro|dmlro|money laundering reporting officer|nominated officer|general counsel)',
    ],
    without: [
      'head (chef|dealer|croupier|coach|waiter|waitress|barman|bartender|barista|teacher|receptionist|hunter|hunting|nurse|start|cashier|office)',
      '(kuchenchef|koksmastare|sous chef)',
    ],
  },
  director: {
    words: [
      '(director|directors|directora|directrice|directeur|*directeur|direktor*|*direktor|direktorin|*direktorin)',
      '(direttore|direttrice|diretor|diretora|directoare)',
      '(dyrektor|dyrektorka|reditel|reditelka|riaditel|riaditelka)',
      '(johtaja|*johtaja|διευθυντής|διευθύντρια)',
      '(директор|директорка|directorul|igazgato|*igazgato|direktoru)',
      '(general|country) manager',
      '(board member|member of the board|board of directors|non executive|aufsichtsrat*|styrelseledamot|bestyrelsesmedlem|styremedlem)',
      '(consejero|consejera|consigliere|conselheiro|conselheira|clen dozorci rady|czlonek rady nadzorczej)',
    ],
    without: ['(art|casting|music|musical|funeral|film|stage|photography) director', 'directory'],
  },
  lead: {
    words: [
      '(lead|leader|teamlead|teamleader)',
      '(teamleit*|gruppenleit*|teamleider|teamleder|teamledare|gruppchef)',
      '(lider|capogruppo|coordinatore|coordinatrice|tym lider|vedouci tymu|тимлид|тимлід|лидер|лідер)',
      '(chef d equipe|chef de file)',
    ],
    without: ['lead (gen|generation|generator|management|qualification|nurturing)', '(leads|leading)'],
  },
  manager: {
    words: [
      '(manager|managers|managerin|manageress|supervisor)',
      '(gerente|encargado|encargada|kierownik|kierowniczka|menedzer*|menadzer*|manazer*)',
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
