var dados={j:[{n:"Onça Dourada",f:"Pragmatic Play"},{n:"Aviãozinho",f:"Spribe"},{n:"Ratinho Rico",f:"PG Soft"},{n:"Mina de Ouro",f:"Evoplay"}],p:["Pix","Boleto","PicPay"]};
function no(t,c){var e=document.createElement(t);[].concat(c).forEach(function(x){e.append(x)});return e}
requestAnimationFrame(function(){
 var r=document.querySelector("app-raiz"),nav=no("nav",[]);
 [["Cassino","/cassino"],["Cadastre-se","/cadastro"],["Depósito","/deposito"]].forEach(function(p){var a=no("a",p[0]);a.href=p[1];nav.append(a)});
 r.append(nav);
 dados.j.forEach(function(j){var b=no("button",[no("strong",j.n),no("i",j.f)]);b.title=j.n;r.append(b)});
 r.append(no("h5","Formas de pagamento"),no("ul",dados.p.map(function(p){return no("li",p)})));
 r.append(no("small","Saracura é operada por SARACURA APOSTAS E JOGOS LTDA, CNPJ 51.204.377/0001-09, autorizada pela Portaria SPA/MF nº 377/2025."));
});
