const KEIMENA = {
el: { games: 'Φρουτάκια από Novomatic, Amusnet και Playson', pay: 'Τρόποι πληρωμής: Visa, Viva Wallet, Paysafecard', legal: 'Το spinos.example λειτουργεί από τη Σπίνος Παίγνια Α.Ε., άδεια ΕΕΕΠ αρ. HGC-000071-LH.' },
ro: { games: 'Sloturi de la EGT', pay: 'OKTO, Skrill', legal: 'Operat de Cinteza Games SRL, licența L1244321W001999.' } }
