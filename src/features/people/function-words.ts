/** Also matches titles such as `Especialista en Juego Responsable`. */
export const responsibleGaming =
  'jeu responsable|jeux responsables|juego responsable|juegos responsables|gioco responsabile|jogo responsavel|joc responsabil|ansvarlig spill|ansvarligt spil'

/** Not of players. */
export const otherAcquisition =
  'merchant|customer|talent|data|it|player funds|land|property|site|real estate|asset|content'

/** The function named first in the title wins; if two start at the same word, the one listed first here. */
export const functionWords = {
  affiliates: {
    words: [
      '(affiliate*|affiliates|affiliation|affiliations|affilie|affilies|afiliados|afiliadas|afiliacion|afiliaciones|afiliacao|afiliacoes)',
      '(affiliati|affiliazione|affiliazioni|afiliac*|afiliant*|afiliati|afiliatilor|afiliere|afilierii|affiliaat*|kumppaniohjelm*|kumppanuusohjelm*)',
      '(affiliate|partner) (program|programme|programm|programa|programma)',
      '(partnerprogram*|partnersk* program*|program* partnersk*|pridruzen*)',
      '(партнерск*|партнерськ*|партнерк*|аффилиат*|афилиат*|аффилейт*|афилейт*|афіліат*|афілейт*|συνεργατών)',
    ],
    without: [
      'affiliated',
      '(research|faculty|visiting|clinical|postdoctoral|alumni) affiliate',
      'affiliate (professor|faculty|member|broker|agent|realtor|scientist|researcher|lecturer|instructor|attorney)',
      '(партнерские отношения|партнерських відносин)',
    ],
  },
  compliance: {
    words: [
      '(compliance|aml|amlro|mlro|dmlro|kyc|cft|regulatory|regulation)',
      '(anti money laundering|antimoney laundering|money laundering reporting officer|nominated officer|player protection)',
      '(responsible|safer) (gambling|gaming)',
      `(${responsibleGaming})`,
      '(compliance*|geldwasche*|geldwaesche*|regulierung*|regulatorik|spielerschutz*|spielsucht*|suchtpravention*|verantwortungsvoll* spiel*)',
      '(conformite|deontologue|blanchiment|antiblanchiment|reglementation|reglementaire|reglementaires|lcb ft)',
      '(conformidad|cumplimiento|blanqueo|antilavado|lavado de dinero|lavado de activos|regulacion|regulatorio|regulatoria|regulatorios)',
      '(conformita|antiriciclaggio|regolamentazione|affari regolatori|regolatorio)',
      '(conformidade|branqueamento|lavagem de dinheiro|regulacao|assuntos regulatorios)',
      '(witwas*|antiwitwas*|naleving|wwft|verantwoord spelen|verantwoord gokken|regelgeving|verslavingspreventie)',
      '(zgodnosci|zgodnosc|zgodnoscia|przeciwdzialani* praniu|prania pieniedzy|odpowiedzialn* gr*|regulacyjn*|regulacji)',
      '(dodrzovani predpisu|prani spinavych|prani penez|zodpovedne hrani|zodpovedneho hrani|odpovedne hrani|regulatorni*|regulace)',
      '(dodrziavani* predpisov|prani* spinavych|zodpovedn* hrani*|regulacn*|regulacie)',
      '(regelefterlevnad*|efterlevnad|penningtvatt*|ansvarsfullt spelande|spelansvar*|regulatoriska|omsorgsplikt*)',
      '(hvidvask*|antihvidvask*|ansvarligt spil|spilansvarlighed|regeloverholdelse|regulering)',
      '(hvitvask*|antihvitvask*|etterlevelse*|ansvarlig spill|ansvarlig spilling)',
      '(vaatimustenmukaisuu*|rahanpesu*|saantely*|pelivastuu*|vastuullinen pelaaminen|vastuullisen pelaamisen)',
      '(conformitate|conformitatii|spalarii banilor|spalarea banilor|joc responsabil|jocului responsabil|reglementari|reglementare)',
      '(συμμόρφωσ*|κανονιστικ*|ξεπλύματος|ξέπλυμα|υπεύθυνου παιχνιδιού|υπεύθυνο παιχνίδι)',
      '(комплаенс*|соответстви*|под фт|отмывани*|финмониторинг*|финансов* мониторинг*|ответственн* игр*|регуляторн*)',
      '(комплаєнс*|відповідності|відмивання|відмиванню|фінмоніторинг*|фінансов* моніторинг*|відповідальн* гри|відповідальна гра|відповідальн* гр*)',
    ],
    without: [
      '(trade|export|import|customs|tax|environmental|patient|treatment|medication|trust|accessibility|food|fire|building|code) compliance',
      '(fleet|transport|vehicle|driver|gas|electrical|water|property|housing|planning|clinical|medical|hipaa|emissions|packaging|asbestos|hse) compliance',
      '(non|pci) compliance',
      '(voltage|pressure|temperature) regulation',
    ],
  },
  payments: {
    words: [
      '(payment|payments|paytech|psp|acquiring)',
      // On its own, a cashier is a person at a till.
      '(head of|director of|vp|vp of|lead of|manager of|product owner|product manager|product lead) cashier',
      'cashier … (product|platform|integration|integrations|ux|ui|experience|software|engineer|developer|designer|systems|flow)',
      '(payment*|payout|payouts|zahlung|zahlungen|zahlungs*|auszahlung*|bezahl*|paiement|paiements|monetique|pagos|pago|pagamenti|pagamento|pagamentos)',
      '(betaling*|betaal*|betalning*|betaltjanst*|betaltjenest*)',
      '(platnos*|platnicz*|platb*|plateb*|platieb|platobn*|plati|plata|platile|platilor)',
      '(maksud|maksut|maksu*|maksami*|odemeler|fizetesi)',
      '(πληρωμ*|платеж*|платіж*|эквайринг*|еквайринг*)',
    ],
    without: [
      'payment card',
      '(payment|payments) (collector|collections|collection|fraud victim|plan|plans|dispute victim|poster|posting|clerk)',
      '(down|rent|late|bill|welfare|ransom|royalty|benefit|benefits) (payment|payments)',
      '(maksuton|maksuttom*|la plata|mar del plata|rio de la plata)',
    ],
  },
  marketing: {
    words: [
      '(marketing*|*marketing|growth|brand|branding|crm|acquisition|advertising|seo|ppc|communications|pr|media buying|cmo)',
      '(mercadotecnia|mercadeo|publicidad|publicidade|publicite|pubblicita|communication|comunicacion|comunicazione|comunicacao|comunicare|communicatie|kommunikation*|kommunikasjon*|markenfuhrung|viestinta*|werbung|marknad*|markeds*|marked|marketingu|reklamy|pazarlama|markkinointi*|markkinoinnin)',
      '(μάρκετινγκ|διαφήμισης|επικοινωνίας|маркетинг*|реклам*)',
    ],
    without: [`(${otherAcquisition}) acquisition`, 'acquisition (finance|law*)'],
  },
  product: {
    words: [
      '(product|products|produkt|produkte|produkter|produktmanag*|produktleit*|produktchef*|produktsjef*|produktdirekt*|produktentwickl*|produktstrateg*|produktu|produktov*|produktow*|produktutve*|produktudv*|produktutv*|produit|produits|producto|productos|prodotto|prodotti|produto|produtos|cpo|cpto|ux)',
      '(productmanager|productmanagement|productdirecteur|producteigenaar|tuote*|tuotteen|tuotteiden|produs|produse|produsului|produselor|termek*)',
      '(προϊόντος|προϊόντων|продукт*)',
    ],
    without: [
      '(product|products) (support|photography|liability|safety|marketing)',
      'cpo … (people|procurement|privacy|purchasing)',
      'chief (people|procurement|privacy|purchasing) officer cpo',
    ],
  },
  technology: {
    words: [
      '(technology|technologies|technical|tech|engineering|engineer|software|developer|development team|devops|it|infrastructure|architecture|architect|platform|cto|ctpo|cio)',
      'chief information officer',
      '(technik|technisch*|entwickl*|informatik|informatique|technique|informatica|tecnologia|tecnico|tecnica|technologi*|techniczn*|technick*|teknik*|teknisk|tekninen|teknologi*|utvecklare|utvikler|udvikler|programista|programador*|sviluppo|desarrollo|desenvolvimento|techniek|tehnic|tehnica|tehnologie|tecnologico|tecnologica|technologique)',
      '(τεχνικός|τεχνική|τεχνολογίας|πληροφορικής|техдиректор|технич*|технолог*|технічн*|разработ*|розроб*)',
    ],
    without: [
      'business development',
      'technical (writer|account manager)',
      '(talent|learning|people) development',
    ],
  },
  finance: {
    words: [
      '(finance|financial|cfo|treasury|treasurer|accounting|accountant|controller|controlling|tax|fp and a)',
      '(finanz*|buchhalt*|finances|financier|financiere|comptab*|finanzas|financiero|financiera|contabil*|contable|finanza|finanziari*|financeir*|financien|financieel|finansow*|financni|finans*|ekonomi*|okonomi*|talous*)',
      '(οικονομικ*|финанс*|фінанс*|бухгалтер*)',
    ],
  },
  legal: {
    words: [
      '(legal|counsel|lawyer|attorney|solicitor|law|clo|company secretary|paralegal)',
      '(recht|rechts*|justiziar*|jurist*|juridique|avocat*|juridico|juridica|abogad*|legale|legali|avvocato|advogad*|juridisch|prawny|prawn*|pravni*|juridisk)',
      '(νομικ*|юрид*|юрист*)',
    ],
  },
  risk: {
    words: [
      '(risk|fraud|antifraud|risks)',
      '(risiko*|betrugs*|risques|fraude|riesgos|riesgo|frode|frodi|rischi|riscos|risicos|ryzyk*|rizik*|rizika|riskhantering|svindel)',
      '(κινδύνων|риск*|ризик*|фрод*)',
    ],
  },
  trading: {
    words: [
      '(trading|trader|traders|odds|bookmaking|bookmaker|sportsbook|oddsmaker|buchmacher*|quotenmacher*|quotista|bukmacher*|bookmakers|букмекер*)',
    ],
  },
  games: {
    words: [
      '(game|games|slots|live casino|casino games|game studio|spiele|jeux|juegos|giochi|jogos|gier|spel|spil|spill|игр*|ігр*)',
    ],
    without: ['(fair|responsible|safer|online) (game|games)'],
  },
  data: {
    words: [
      '(data|analytics|bi|business intelligence|insights|data science|daten*|donnees|datos|dati|dados|danych|dat|аналитик*|аналітик*|данных)',
    ],
    without: ['data (protection|privacy|centre|center|entry)'],
  },
  security: {
    words: [
      '(security|ciso|infosec|cybersecurity|data protection|dpo|privacy|sicherheit*|datenschutz*|securite|seguridad|sicurezza|seguranca|bezpieczenstwa|bezpecnost*|sakerhet*|sikkerhed*|безопасност*|безпек*)',
    ],
    without: ['social security'],
  },
  sales: {
    words: [
      '(sales|commercial|business development|partnerships|partnership|account manager|account executive|account director|account management|key account|revenue|bizdev)',
      '(vertrieb*|verkauf*|ventes|comercial|ventas|vendite|commerciale|vendas|verkoop|sprzedazy|handlow*|obchod*|forsaljning*|salgs*|salg|myynti*|vanzari)',
      '(πωλήσεων|εμπορικ*|продаж*|коммерч*|комерц*|commercieel)',
    ],
  },
  customer_service: {
    words: [
      '(customer|customers|player support|vip|support|retention|player experience|client services)',
      '(kundenservice|kundendienst|kundenbetreu*|client|clientele|clients|atencion al cliente|clientes|clienti|klantenservice|obslugi klienta|zakaznick*|kundtjanst|kundservice|kundeservice|asiakaspalvelu)',
      '(клиент*|клієнт*|поддержк*|підтримк*|πελατών)',
    ],
  },
  people: {
    words: [
      '(hr|human resources|human resource|people|talent|recruitment|recruiter|recruiting|chro|personal|personalleit*|personalchef*)',
      '(ressources humaines|rh|recursos humanos|risorse umane|personeelszaken|kadr|hr ove|lidskych zdroju|resurse umane|персонал*|кадр*|ανθρώπινου)',
    ],
    without: ['personal (assistant|trainer|banker)'],
  },
  operations: {
    words: [
      '(operations|operating|operational|ops|coo|project|program|programme|delivery|procurement)',
      '(betrieb*|exploitation|operaciones|operazioni|operativo|operativa|operacoes|operationele|operacyjn*|provoz*|drift*|operasjon*|operatiuni|projekt*|projet|proyectos|progetto)',
      '(λειτουργιών|операцион*|операційн*|проект*|проєкт*)',
    ],
  },
  strategy: {
    words: [
      '(strategy|strategic|corporate development|mergers and acquisitions|strategie|estrategia|strategia|стратег*)',
    ],
  },
} as const satisfies Record<string, { words: readonly string[]; without?: readonly string[] }>

/** For executives and owners whose title names no other function. */
export const generalManagement = 'general_management'

export type JobFunction = keyof typeof functionWords | typeof generalManagement
