import numpy as np, time, clopt, sys
n=int(float(sys.argv[1])); dev=sys.argv[2] if len(sys.argv)>2 else "openmp:0"
rng=np.random.default_rng(3)
t=np.stack([400+200*rng.random(n),1.5+rng.random(n),1.5+rng.random(n),.8+.5*rng.random(n),5+10*rng.random(n)],1).astype(np.float32)
j=np.arange(25); 
m=t[:,0:1]*np.exp(-((j%5-t[:,1:2])**2+(j//5-t[:,2:3])**2)/(2*t[:,3:4]**2))+t[:,4:5]
data=np.round(m+np.sqrt(m)*(rng.random((n,25),dtype=np.float32)*2-1)*1.7).astype(np.float32)
guess=(t*(1+.1*(rng.random((n,5))-.5))).astype(np.float32)
for rep in range(4):
    a=time.perf_counter()
    r=clopt.fit("gauss_2d",data,guess,width=5,errors=False,precision="float",device=dev)
    b=time.perf_counter()-a
    print(f"{n} f32: {b*1e3:.1f} ms {n/b:.3g}/s compute {r.seconds.compute*1e3:.1f} solved {r.solved} {r.checksum:x}" if not isinstance(r.checksum,str) else f"{n} f32: {b*1e3:.1f} ms {n/b:.3g}/s compute {r.seconds.compute*1e3:.1f} other {r.seconds.other*1e3:.1f} solved {r.solved} {r.checksum}")
    del r
d64=data.astype(np.float64); g64=guess.astype(np.float64)
a=time.perf_counter(); r=clopt.fit("gauss_2d",d64,g64,width=5,errors=False,precision="float",device=dev); b=time.perf_counter()-a
print(f"{n} f64: {b*1e3:.1f} ms {n/b:.3g}/s {r.checksum}")
